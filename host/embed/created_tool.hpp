// Makes a function of the embedding program callable by the runtime.
#pragma once

#include "host/loading/local_code.hpp"
#include "toolhost/host.hpp"

namespace toolhost::embed {

class CreatedTool : public loading::LocalCode {
public:
    CreatedTool(ToolFunction function, Concurrency concurrency)
        : function_(std::move(function)), concurrency_(concurrency) {}

    [[nodiscard]] Result<void> open() override { return {}; }
    [[nodiscard]] loading::Outcome invoke(const loading::Invocation& invocation,
                                          loading::CallHost& host) const override;
    [[nodiscard]] bool concurrent() const override {
        return concurrency_ == Concurrency::concurrent;
    }
    [[nodiscard]] std::string name() const override { return "the tool"; }

private:
    const ToolFunction function_;
    const Concurrency concurrency_;
};

}  // namespace toolhost::embed
