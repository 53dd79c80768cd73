// Reads one request, piece by piece as it comes, and keeps only what is used.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <string>

#include "host/serve/http/message.hpp"

namespace toolhost::serve {

class HttpRequestParser : private boost::beast::http::basic_parser<true> {
    using Base = boost::beast::http::basic_parser<true>;

public:
    HttpRequestParser(HttpRequest& into, std::size_t header_bytes, std::size_t body_bytes);

    // Takes what it can of these bytes, and says how many; the others come again, with more behind
    // them.
    std::size_t take(std::string_view bytes);
    // Why it cannot be read to its end; a status of 0: nothing is wrong with it.
    struct Fault {
        int status = 0;
        std::string text{};
    };
    [[nodiscard]] const Fault& fault() const { return fault_; }

    using Base::got_some;
    using Base::is_done;
    using Base::is_header_done;
    // Room for the body that the headers announce, once its sender is known.
    void reserve_body();
    // Of what the headers say, once they are there.
    [[nodiscard]] bool keeps() const { return keeps_; }                      // the connection
    [[nodiscard]] bool knows_chunks() const { return knows_chunks_; }        // HTTP/1.0 has none
    [[nodiscard]] bool awaits_continue() const { return awaits_continue_; }  // before its body

private:
    using Code = boost::system::error_code;
    using Text = boost::beast::string_view;
    using Name = boost::beast::http::field;

    void on_request_impl(boost::beast::http::verb verb, Text method, Text target, int version,
                         Code& code) override;
    void on_response_impl(int status, Text reason, int version, Code& code) override;
    void on_field_impl(Name known, Text name, Text value, Code& code) override;
    void on_header_impl(Code& code) override;
    void on_body_init_impl(const boost::optional<std::uint64_t>& length, Code& code) override;
    std::size_t on_body_impl(Text piece, Code& code) override;
    void on_chunk_header_impl(std::uint64_t size, Text extensions, Code& code) override;
    std::size_t on_chunk_body_impl(std::uint64_t left, Text piece, Code& code) override;
    void on_finish_impl(Code& code) override;
    void refuse(Code& code, int status, std::string text);
    void refuse_duplicate(Code& code, std::string_view name);
    [[nodiscard]] bool is_folded(Text name, Text value) const;

    HttpRequest& request_;
    Fault fault_;
    std::string_view input_;  // what take() was given
    bool has_length_ = false;
    bool keeps_ = true, knows_chunks_ = true, awaits_continue_ = false;
};

}  // namespace toolhost::serve
