// SPDX-License-Identifier: MIT
#include "programs/common/emit_header.hpp"

#include <cctype>
#include <iostream>
#include <linea/io/output_file.hpp>
#include <linea/io/write_header.hpp>

#include "programs/common/system.hpp"

namespace program {
namespace {

/// Returns a C++ name for the file: spam_2 for "deep/spam-2.hpp".
std::string name_from(const std::string& path) {
  std::string name = path.substr(path.find_last_of('/') + 1);
  name = name.substr(0, name.find('.'));
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return path == "-" || name.empty() ? "model" : name;
}

void write(std::ostream& out, const Model& model, const std::string& name) {
  linea::write_header(out, stored_of(model), {.name = name});
  for (std::size_t k = 0; k < model.label_names.size(); ++k) {
    std::string shown;
    for (const char c : model.label_names[k])
      shown += static_cast<unsigned char>(c) < 0x20 || c == '\\' ? ' ' : c;
    out << "// label " << k << ": " << shown << '\n';
  }
}

}  // namespace

void emit_header(const Model& model, const std::string& path) {
  linea::require(model.input.degree == 1 && model.input.encoder.hash_bits == 0,
                 "--emit-header: a header cannot compute features, but this model uses ",
                 model.input.degree > 1 ? "products (--polynomial)" : "hashes (--hash)");
  const std::string name = name_from(path);
  if (path == "-")
    write(std::cout, model, name);
  else
    linea::io::write_file("--emit-header", path_of(path),
                          [&](std::ostream& out) { write(out, model, name); });
}

}  // namespace program
