# SPDX-License-Identifier: MIT
"""Conan 2: conan create packaging/conan. The recipe exports the sources of this repository. A recipe for a registry has a
method `source` that fetches a release instead."""

import os
import re

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.files import copy, load


class LineaConan(ConanFile):
    name = "linea"
    license = "MIT"
    homepage = url = "https://linea.example"
    description = "Header-only C++20 library for learning linear functions over Eigen matrices"
    topics = ("machine-learning", "svm", "logistic-regression", "eigen", "header-only")
    package_type = "header-library"
    settings = "os", "arch", "compiler", "build_type"
    no_copy_source = True

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "..", "..", "include", "linea", "version.hpp"))
        parts = (re.search(rf"LINEA_VERSION_{part} (\d+)", header).group(1) for part in ("MAJOR", "MINOR", "PATCH"))
        self.version = ".".join(parts)

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        copy(self, "LICENSE", root, self.export_sources_folder)
        copy(self, "*.hpp", os.path.join(root, "include"), os.path.join(self.export_sources_folder, "include"))

    def requirements(self):
        self.requires("eigen/[>=3.4 <6]", transitive_headers=True)

    def package_id(self):
        self.info.clear()

    def validate(self):
        if self.settings.get_safe("compiler.cppstd"):
            check_min_cppstd(self, 20)

    def package(self):
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))
        copy(self, "*.hpp", os.path.join(self.source_folder, "include"), os.path.join(self.package_folder, "include"))

    def package_info(self):
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.set_property("cmake_file_name", "linea")
        self.cpp_info.set_property("cmake_target_name", "linea::linea")
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["pthread"]
