// SPDX-License-Identifier: Apache-2.0
// A string whose characters may be known at compile time.
#pragma once
#include <cstddef>
#include <ostream>
#include <string>

namespace fk {

/// Up to N - 1 characters and the zero that ends them.
template <std::size_t N>
class String {
 public:
  constexpr String() = default;
  constexpr String(const char (&text)[N]) {
    while (length_ + 1 < N && text[length_]) {
      text_[length_] = text[length_];
      ++length_;
    }
  }
  constexpr std::size_t size() const { return length_; }
  constexpr const char* c_str() const { return text_; }
  constexpr char operator[](std::size_t i) const { return text_[i]; }
  std::string operator()() const { return std::string(text_, length_); }

  constexpr void append(const char* text, std::size_t count) {
    for (std::size_t i = 0; i < count && length_ + 1 < N; ++i) text_[length_++] = text[i];
  }
  constexpr String substr(std::size_t start, std::size_t count) const {
    String part;
    if (start < length_)
      part.append(text_ + start, count < length_ - start ? count : length_ - start);
    return part;
  }
  template <std::size_t M>
  constexpr bool operator==(const String<M>& o) const {
    return compare(o.c_str(), o.size()) == 0;
  }
  template <std::size_t M>
  constexpr bool operator==(const char (&o)[M]) const {
    return *this == String<M>(o);
  }
  template <std::size_t M>
  constexpr bool operator<(const String<M>& o) const {
    return compare(o.c_str(), o.size()) < 0;
  }
  template <std::size_t M>
  constexpr String<N + M - 1> operator+(const String<M>& o) const {
    String<N + M - 1> both;
    both.append(text_, length_);
    both.append(o.c_str(), o.size());
    return both;
  }
  template <std::size_t M>
  constexpr String<N + M - 1> operator+(const char (&o)[M]) const {
    return *this + String<M>(o);
  }
  template <std::size_t M>
  friend constexpr String<M + N - 1> operator+(const char (&a)[M], const String& b) {
    return String<M>(a) + b;
  }
  friend std::ostream& operator<<(std::ostream& out, const String& s) {
    return out.write(s.text_, static_cast<std::streamsize>(s.length_));
  }

 private:
  constexpr int compare(const char* o, std::size_t size) const {
    for (std::size_t i = 0; i < length_ && i < size; ++i)
      if (text_[i] != o[i]) return text_[i] < o[i] ? -1 : 1;
    return length_ == size ? 0 : length_ < size ? -1 : 1;
  }
  char text_[N] = {};
  std::size_t length_ = 0;
};

}  // namespace fk
