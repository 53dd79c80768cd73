#include "host/worker/channel.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace toolhost::worker {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kWordsBytes = (sizeof(ChannelWords) + kPage - 1) / kPage * kPage;
constexpr std::size_t kBytes = kWordsBytes + std::size_t{kLanes} * 2 * kRingBytes;

Error no_memory(const char* what) {
    return {ErrorCode::resource_exhausted,
            std::string("cannot create shared memory for a worker: ") + what + ": " +
                os::system_message(errno),
            {{"resource", "shared memory"}}};
}

}  // namespace

Result<Channel> Channel::create() {
    // A file of memory is all zeros, which is what every word starts with.
    os::Descriptor memory(::memfd_create("toolhost-channel", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!memory) return no_memory("memfd_create");
    if (::ftruncate(memory.get(), static_cast<off_t>(kBytes)) != 0) return no_memory("ftruncate");
    if (::fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        return no_memory("F_ADD_SEALS");
    return map(std::move(memory));
}

Result<Channel> Channel::attach(os::Descriptor memory) {
    return map(std::move(memory));
}

Result<Channel> Channel::map(os::Descriptor memory) {
    void* mapped = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0);
    if (mapped == MAP_FAILED) return no_memory("mmap");
    Channel channel;
    channel.memory_ = std::move(memory);
    channel.mapped_.reset(static_cast<ChannelWords*>(mapped));
    return channel;
}

void Channel::Unmap::operator()(ChannelWords* words) const {
    ::munmap(words, kBytes);
}

char* Channel::rings(std::uint32_t lane) const {
    return reinterpret_cast<char*>(mapped_.get()) + kWordsBytes +
           std::size_t{lane} * 2 * kRingBytes;
}

}  // namespace toolhost::worker
