// What a thread is counted on for beside the work at hand, such as listening for requests. It keeps
// the duty during short waits, since handing it over wakes another thread, and hands it over before
// long ones.
#pragma once

namespace toolhost::os {

class Duty {
public:
    // Of the thread that constructs it, which also destroys it.
    Duty();
    virtual ~Duty();
    Duty(const Duty&) = delete;
    Duty& operator=(const Duty&) = delete;

    // The thread is about to wait for another one. May be called more than once.
    virtual void hand_over() = 0;
    // The thread is about to wait or to run code, and does not say when that takes long.
    virtual void watch() = 0;

    // The innermost one of this thread; null: none.
    [[nodiscard]] static Duty* current();

private:
    Duty* const outer_;
};

}  // namespace toolhost::os
