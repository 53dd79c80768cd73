// @NAME@: counts the words of a text.
#include <sstream>
#include <string>
#include <toolhost/plugin.hpp>

namespace {

// The input. The schema that callers see is derived from these members.
struct Input {
    toolhost::Field<std::string, "The text to count."> text;
};

// The result.
struct Output {
    toolhost::Field<int, "The number of words."> words;
};

// A function that also takes a toolhost::Context& can stream, log, ask and call other tools.
Output count(const Input& in) {
    std::istringstream words(in.text);
    Output out;
    for (std::string word; words >> word;) ++out.words;
    return out;
}

}  // namespace

TOOLHOST_PLUGIN(toolhost::tool<count>("@NAME@", "Counts the words of a text.").version("0.1.0"))
