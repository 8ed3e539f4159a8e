// SPDX-License-Identifier: MIT
#pragma once
/// \file Everything of files/.
#include <linea/files/binary.hpp>
#include <linea/files/binary_check.hpp>
#include <linea/files/binary_format.hpp>
#include <linea/files/binary_section_writer.hpp>
#include <linea/files/csv.hpp>
#include <linea/files/csv_data.hpp>
#include <linea/files/csv_reader.hpp>
#include <linea/files/csv_record.hpp>
#include <linea/files/decimal.hpp>
#include <linea/files/draft.hpp>
#include <linea/files/file.hpp>
#include <linea/files/file_buffer.hpp>
#include <linea/files/large_pages.hpp>
#include <linea/files/libsvm.hpp>
#include <linea/files/libsvm_line.hpp>
#include <linea/files/mapped_file.hpp>
#include <linea/files/native_file.hpp>
#include <linea/files/output_file.hpp>
#include <linea/files/text.hpp>
#include <linea/files/text_file.hpp>
#include <linea/files/write_binary.hpp>
#include <linea/files/write_libsvm.hpp>
