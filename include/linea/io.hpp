// SPDX-License-Identifier: MIT
#pragma once
/// \file Includes all headers of io/: readers and writers of samples and models.
#include <linea/io/binary_format.hpp>
#include <linea/io/checksum.hpp>
#include <linea/io/csv.hpp>
#include <linea/io/csv_records.hpp>
#include <linea/io/decimal.hpp>
#include <linea/io/file.hpp>
#include <linea/io/liblinear.hpp>
#include <linea/io/libsvm.hpp>
#include <linea/io/libsvm_blocks.hpp>
#include <linea/io/mapped_file.hpp>
#include <linea/io/matrix_market.hpp>
#include <linea/io/model_binary.hpp>
#include <linea/io/model_file.hpp>
#include <linea/io/model_text.hpp>
#include <linea/io/namespace_names.hpp>
#include <linea/io/npy.hpp>
#include <linea/io/output_file.hpp>
#include <linea/io/store_model.hpp>
#include <linea/io/stored_model.hpp>
#include <linea/io/text.hpp>
#include <linea/io/text_file.hpp>
#include <linea/io/write_binary.hpp>
#include <linea/io/write_header.hpp>
#include <linea/io/write_libsvm.hpp>
#include <linea/io/written_samples.hpp>
