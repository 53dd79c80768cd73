#include "net/cookie_file.hpp"

#include <algorithm>
#include <fstream>
#include <system_error>

namespace http_tool {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMaxBytes = 256u << 10;
constexpr std::ptrdiff_t kTabs = 6;  // a cookie has seven fields

bool is_within(const fs::path& path, const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first ==
           folder.end();
}

}  // namespace

std::variant<std::vector<std::string>, Refusal, Failure> read_cookie_file(const fs::path& workspace,
                                                                          const std::string& path) {
    std::error_code fault;
    const fs::path root = fs::canonical(workspace, fault);
    if (fault) return Failure{"the workspace cannot be found: " + fault.message()};
    // Refused before any access, so that the existence of other files is not revealed.
    const fs::path named = (root / path).lexically_normal();
    const Refusal outside{"path_not_allowed", "'" + path + "' is outside the workspace"};
    if (!is_within(named, root)) return outside;
    const fs::path file = fs::canonical(named, fault);
    if (fault) return Failure{"'" + path + "' cannot be read: " + fault.message()};
    if (!is_within(file, root)) return outside;
    if (!fs::is_regular_file(file, fault)) return Failure{"'" + path + "' is not a file"};
    if (fs::file_size(file, fault) > kMaxBytes || fault)
        return Failure{"'" + path + "' is larger than " + std::to_string(kMaxBytes) + " bytes"};
    std::ifstream stream(file);
    std::vector<std::string> cookies;
    for (std::string line; std::getline(stream, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (std::count(line.begin(), line.end(), '\t') == kTabs) cookies.push_back(line);
    }
    if (stream.bad() || !stream.eof()) return Failure{"'" + path + "' cannot be read"};
    if (cookies.empty())
        return Failure{"'" + path +
                       "' has no cookies: expected seven fields per line, separated by tabs"};
    return cookies;
}

}  // namespace http_tool
