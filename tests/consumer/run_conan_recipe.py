#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run_conan_recipe.py <linea> <scratch folder> <where to install>

Runs packaging/conan/conanfile.py like `conan create`, without Conan: its methods in order, with substitutes for Conan's
functions that change files in the same way. Then generates a CMake package from package_info, like CMakeDeps."""
import fnmatch
import pathlib
import shutil
import sys
import types

linea, work, prefix = (pathlib.Path(argument).resolve() for argument in sys.argv[1:4])


def copy(recipe, pattern, source, target):
    found = [path for path in pathlib.Path(source).rglob("*") if path.is_file() and fnmatch.fnmatch(path.name, pattern)]
    for path in found:
        goal = pathlib.Path(target) / path.relative_to(source)
        goal.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, goal)
    if not found:
        raise SystemExit(f"nothing in {source} is {pattern}")


class Info:
    def __init__(self):
        self.bindirs, self.libdirs, self.system_libs, self.properties = ["bin"], ["lib"], [], {}

    def set_property(self, name, value):
        self.properties[name] = value


class ConanFile:
    def __init__(self):
        self.recipe_folder = str(linea / "packaging" / "conan")
        self.export_sources_folder = self.source_folder = str(work)
        self.package_folder = str(prefix)
        self.settings = types.SimpleNamespace(os="Linux", get_safe=lambda name: "20")
        self.required, self.cpp_info, self.info = [], Info(), types.SimpleNamespace(clear=lambda: None)

    def requires(self, name, transitive_headers=False):
        self.required.append(name)


def module(name, **members):
    sys.modules[name] = types.ModuleType(name)
    vars(sys.modules[name]).update(members)


def check_min_cppstd(recipe, standard):
    assert standard == 20


module("conan", ConanFile=ConanFile)
module("conan.tools")
module("conan.tools.build", check_min_cppstd=check_min_cppstd)
module("conan.tools.files", copy=copy, load=lambda recipe, path: pathlib.Path(path).read_text())
code = linea / "packaging" / "conan" / "conanfile.py"
names = {}
exec(compile(code.read_text(), str(code), "exec"), names)
recipe = next(each for each in names.values() if isinstance(each, type) and issubclass(each, ConanFile) and each is not ConanFile)()

for folder in (work, prefix):
    shutil.rmtree(folder, ignore_errors=True)
for step in ("set_version", "export_sources", "requirements", "validate", "package_id", "package", "package_info"):
    getattr(recipe, step)()

wanted = "name version license description topics package_type settings".split()
missing = [field for field in wanted if not getattr(recipe, field, None)]
assert not missing, f"conanfile.py lacks {missing}"
assert recipe.required and recipe.package_type == "header-library" and not recipe.cpp_info.libdirs
assert (prefix / "licenses" / "LICENSE").is_file() and (prefix / "include" / "linea" / "linea.hpp").is_file()

target, file = (recipe.cpp_info.properties[name] for name in ("cmake_target_name", "cmake_file_name"))
libraries = " ".join(["Eigen3::Eigen", *recipe.cpp_info.system_libs])
(prefix / f"{file}Config.cmake").write_text(f"""find_package(Eigen3 REQUIRED)
add_library({target} INTERFACE IMPORTED)
target_include_directories({target} INTERFACE "${{CMAKE_CURRENT_LIST_DIR}}/include")
target_link_libraries({target} INTERFACE {libraries})
""")
print(f"{recipe.name} {recipe.version} packaged, with {recipe.required}")
