// Runs the official JSON Schema test suite: all required tests of three drafts, the optional tests
// of the formats that the schema room asserts, and the other optional tests, except those of
// documented omissions.
//   schema_suite FOLDER      the folder that contains tests/ and remotes/
// Prints each failure and the totals; exits with 0 only if everything passed.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "host/schema/schema.hpp"

namespace fs = std::filesystem;
namespace schema = toolhost::schema;
using schema::Json;

namespace {

struct Draft {
    const char* folder;
    schema::Dialect dialect;
    const char* metaschema;
};

constexpr Draft drafts[] = {
    {"draft2020-12", schema::Dialect::draft2020_12, "https://json-schema.org/draft/2020-12/schema"},
    {"draft2019-09", schema::Dialect::draft2019_09, "https://json-schema.org/draft/2019-09/schema"},
    {"draft7", schema::Dialect::draft7, "http://json-schema.org/draft-07/schema#"},
};

constexpr const char* formats[] = {"date-time", "date",         "time", "duration", "email",
                                   "hostname",  "ipv4",         "ipv6", "uri",      "uri-reference",
                                   "uuid",      "json-pointer", "regex"};

// In draft 7 an implementation may check contentEncoding and contentMediaType; here they are
// annotations, as in later drafts.
constexpr const char* not_run = "content.json";

struct Totals {
    int passed = 0, failed = 0;
};

Json read_json(const fs::path& file) {
    std::ifstream in(file);
    return Json::parse(in);
}

std::vector<fs::path> json_files(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

// The suite serves remotes/ as http://localhost:1234/.
schema::DocumentStore read_remotes(const fs::path& folder) {
    schema::DocumentStore store;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".json") continue;
        const auto name = fs::relative(entry.path(), folder).generic_string();
        store.documents["http://localhost:1234/" + name] = read_json(entry.path());
    }
    return store;
}

class Runner {
public:
    Runner(const Draft& draft, const schema::DocumentStore& store, bool assert_formats) {
        options_.store = &store;
        options_.default_dialect = draft.dialect;
        options_.assert_formats = assert_formats;
    }

    void run_file(const fs::path& file) {
        for (const Json& group : read_json(file)) run_group(file, group);
    }

    [[nodiscard]] Totals totals() const { return totals_; }

private:
    void run_group(const fs::path& file, const Json& group) {
        const auto compiled = schema::Schema::compile(group.at("schema"), options_);
        for (const Json& test : group.at("tests")) {
            const std::string name = file.filename().string() + ": " +
                                     group.at("description").get<std::string>() + ": " +
                                     test.at("description").get<std::string>();
            if (!compiled) {
                fail(name, "does not compile: " + compiled.error().pointer + ": " +
                               compiled.error().message);
                continue;
            }
            run_test(name, *compiled, test);
        }
    }

    void run_test(const std::string& name, const schema::Schema& compiled, const Json& test) {
        const bool expected = test.at("valid").get<bool>();
        const bool fast = compiled.valid(test.at("data"));
        const auto issues = compiled.validate(test.at("data"));
        if (fast != expected) {
            fail(name, expected ? "should be valid: " + (issues.empty() ? "" : issues[0].message)
                                : std::string("should be invalid"));
        } else if (fast != issues.empty()) {
            fail(name, "valid() and validate() disagree");
        } else {
            ++totals_.passed;
        }
    }

    void fail(const std::string& name, const std::string& why) {
        ++totals_.failed;
        std::cout << "FAILED " << name << ": " << why << '\n';
    }

    schema::CompileOptions options_;
    Totals totals_;
};

bool print(const std::string& name, const Totals& totals) {
    std::cout << name << ": " << totals.passed << " passed, " << totals.failed << " failed\n";
    return totals.failed == 0 && totals.passed > 0;
}

// Each schema of the suite must also fit its draft's meta-schema; otherwise one of the two is
// implemented incorrectly.
bool run_metaschemas(const fs::path& tests, const schema::DocumentStore& store) {
    Totals totals;
    for (const Draft& draft : drafts) {
        schema::CompileOptions options;
        options.store = &store;
        const Json reference = {{"$ref", draft.metaschema}};
        const auto meta = schema::Schema::compile(reference, options);
        if (!meta) {
            std::cout << "FAILED " << draft.metaschema << ": " << meta.error().message << '\n';
            return false;
        }
        for (const auto& file : json_files(tests / draft.folder)) {
            for (const Json& group : read_json(file)) {
                const auto issues = meta->validate(group.at("schema"));
                ++(issues.empty() ? totals.passed : totals.failed);
                if (!issues.empty()) {
                    std::cout << "FAILED " << file.filename() << ": "
                              << group.at("description").get<std::string>() << ": "
                              << issues[0].message << '\n';
                }
            }
        }
    }
    return print("meta-schemas", totals);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2 || !fs::is_directory(fs::path(argv[1]) / "tests")) {
        std::cerr << "usage: schema_suite FOLDER (with tests/ and remotes/ in it)\n";
        return 2;
    }
    const fs::path suite = argv[1];
    const auto store = read_remotes(suite / "remotes");
    bool good = true;
    for (const Draft& draft : drafts) {
        Runner required(draft, store, false);
        for (const auto& file : json_files(suite / "tests" / draft.folder)) required.run_file(file);
        good = print(draft.folder, required.totals()) && good;

        Runner asserted(draft, store, true);
        for (const char* format : formats) {
            const fs::path file = suite / "tests" / draft.folder / "optional/format" /
                                  (std::string(format) + ".json");
            // Draft 7 has no duration and uuid formats.
            if (fs::exists(file)) asserted.run_file(file);
        }
        good = print(std::string(draft.folder) + " formats", asserted.totals()) && good;

        Runner optional(draft, store, true);
        for (const auto& file : json_files(suite / "tests" / draft.folder / "optional")) {
            if (file.filename() == not_run) {
                std::cout << draft.folder << " optional: " << not_run << " is not run\n";
            } else {
                optional.run_file(file);
            }
        }
        good = print(std::string(draft.folder) + " optional", optional.totals()) && good;
    }
    good = run_metaschemas(suite / "tests", store) && good;
    return good ? 0 : 1;
}
