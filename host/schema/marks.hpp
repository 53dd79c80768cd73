// Which members or items of one value a subschema has evaluated, for unevaluatedProperties and
// unevaluatedItems. Members are counted in the order of the object's map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace toolhost::schema {

class Marks {
public:
    void set(std::size_t index) {
        if (index < kBits) {
            first_ |= std::uint64_t{1} << index;
            return;
        }
        const std::size_t word = index / kBits - 1;
        if (word >= rest_.size()) rest_.resize(word + 1);
        rest_[word] |= std::uint64_t{1} << index % kBits;
    }

    [[nodiscard]] bool test(std::size_t index) const noexcept {
        if (all_) return true;
        if (index < kBits) return (first_ >> index & 1U) != 0;
        const std::size_t word = index / kBits - 1;
        return word < rest_.size() && (rest_[word] >> index % kBits & 1U) != 0;
    }

    void set_all() noexcept { all_ = true; }

    void merge(const Marks& other) {
        all_ = all_ || other.all_;
        first_ |= other.first_;
        if (other.rest_.size() > rest_.size()) rest_.resize(other.rest_.size());
        for (std::size_t i = 0; i < other.rest_.size(); ++i) rest_[i] |= other.rest_[i];
    }

private:
    static constexpr std::size_t kBits = 64;

    std::uint64_t first_ = 0;  // most objects have at most 64 members: no allocation
    std::vector<std::uint64_t> rest_;
    bool all_ = false;
};

}  // namespace toolhost::schema
