// SPDX-License-Identifier: MIT
#pragma once
/// \file Memory shared by the processes of one machine.
#include <cstddef>
#include <linea/mpi/c_interface.hpp>
#ifdef __linux__
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>  // mkstemp
#include <string>
#endif

namespace linea::mpi {

/// Memory that all ranks can read and write, if they are all on one machine that can provide it.
/// Windows of MPI are not used because those of Open MPI 4.1 hang when /dev/shm is full.
class SharedMemory {
 public:
  /// Requests `bytes` bytes, the same number on every process of `world`. Works on Linux only.
  SharedMemory(MPI_Comm world, std::size_t bytes) : bytes_(bytes) {
#ifdef __linux__
    int rank = 0;
    MPI_Comm_rank(world, &rank);
    char name[] = "/dev/shm/linea-XXXXXX";
    int file = rank == 0 ? created(name) : -1;
    MPI_Bcast(name, sizeof(name), MPI_CHAR, 0, world);
    const bool is_named = name[0] != '\0';
    if (rank != 0 && is_named) file = ::open(name, O_RDWR | O_CLOEXEC);
    if (file >= 0) {
      void* at = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (at != MAP_FAILED) memory_ = at;
      ::close(file);
    }
    const int got = memory_ == nullptr ? 0 : 1;
    int all_got = 0;
    MPI_Allreduce(&got, &all_got, 1, MPI_INT, MPI_MIN, world);
    if (rank == 0 && is_named) ::unlink(name);  // the file lives on in the processes that opened it
    if (all_got == 0) release();
#else
    static_cast<void>(world);
#endif
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { release(); }

  /// Returns a pointer to the first byte, or null on all ranks if there is no such memory.
  void* data() const { return memory_; }

 private:
#ifdef __linux__
  /// Creates a file of zeros and replaces the Xs in `name`; sets `name` to "" on failure. Writes
  /// every byte now, because touching a page that cannot be allocated would end the program.
  int created(char* name) const {
    const int file = ::mkstemp(name);
    const std::string zeros(65536, '\0');
    std::size_t left = file < 0 ? 0 : bytes_;
    while (left > 0) {
      const auto count = ::write(file, zeros.data(), left < zeros.size() ? left : zeros.size());
      if (count <= 0) break;
      left -= static_cast<std::size_t>(count);
    }
    if (file >= 0 && left == 0) return file;
    if (file >= 0) ::close(file);
    if (file >= 0) ::unlink(name);
    name[0] = '\0';
    return -1;
  }
#endif

  void release() {
#ifdef __linux__
    if (memory_ != nullptr) ::munmap(memory_, bytes_);
#endif
    memory_ = nullptr;
  }

  std::size_t bytes_;
  void* memory_{nullptr};
};

}  // namespace linea::mpi
