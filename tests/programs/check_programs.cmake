# SPDX-License-Identifier: MIT
# cmake -D PROGRAMS=<folder> [-D SUFFIX=.exe] [-D EMULATOR=<...>] -D DATA=<examples/data> -D WORK=<scratch folder>
#       -P check_programs.cmake
#
# Runs linea_train, linea_predict and linea_convert without a shell, as on systems where the other tests of the programs
# do not run. The names of the folder and of the files are not ASCII.
cmake_policy(VERSION 3.21)

file(REMOVE_RECURSE "${WORK}")
set(folder "${WORK}/Größe λ")
file(MAKE_DIRECTORY "${folder}")

# Runs a program, whose exit code must be `code` and whose output or complaint must match `pattern`.
function(run code pattern program)
  execute_process(COMMAND ${EMULATOR} "${PROGRAMS}/${program}${SUFFIX}" ${ARGN} ${input} WORKING_DIRECTORY "${folder}"
                  OUTPUT_VARIABLE printed ERROR_VARIABLE complaint RESULT_VARIABLE result)
  if(NOT result EQUAL code OR NOT "${printed}${complaint}" MATCHES "${pattern}")
    message(FATAL_ERROR "${program} ${ARGN}: exit code ${result}, not ${code}, or not \"${pattern}\":\n${printed}${complaint}")
  endif()
endfunction()

# Text whose lines end with \r\n.
file(READ "${DATA}/flats.csv" text)
string(REPLACE "\n" "\r\n" text "${text}")
file(WRITE "${folder}/Mieten ü.csv" "${text}")
set(ridge --loss squared --standardise --missing mean --target rent --lambda 0.01 --quiet)
run(0 "^$" linea_train ${ridge} "Mieten ü.csv" "λ model")
run(0 "^$" linea_train ${ridge} "Mieten ü.csv" "λ model")  # replaces the file
run(0 "n: 160" linea_predict "Mieten ü.csv" "λ model" "Preise €")
file(READ "${folder}/Preise €" prices)
if(NOT prices MATCHES "^1039\\.61305[0-9]*\n421\\.61708[0-9]*\n832\\.10882[0-9]*\n")  # the rest is a matter of rounding
  message(FATAL_ERROR "other predictions: ${prices}")
endif()

# Every format, compressed input, standard input and output.
file(COPY "${DATA}/wdbc.svm" DESTINATION "${folder}")
run(0 "569 samples" linea_convert wdbc.svm "λ.linea")
file(ARCHIVE_CREATE OUTPUT "${folder}/wdbc.svm.gz" PATHS "${folder}/wdbc.svm" FORMAT raw COMPRESSION GZip)
set(log --loss log --lambda 0.01 --standardise --quiet)
run(0 "^$" linea_train ${log} wdbc.svm text)
run(0 "^$" linea_train ${log} "λ.linea" binary)
set(input INPUT_FILE "${folder}/wdbc.svm.gz")
run(0 "^$" linea_train ${log} - compressed)
set(input "")
foreach(model IN ITEMS text binary compressed)
  run(0 "^-?1\n" linea_predict wdbc.svm ${model} -)
endforeach()
run(0 "^{" linea_train ${log} wdbc.svm -)

run(2 "cannot open 'μ.svm': No such file or directory" linea_train "μ.svm" model)
run(2 "it is a directory" linea_train . model)
run(2 "would be overwritten" linea_train wdbc.svm "../Größe λ/wdbc.svm")
run(2 "write.*No such file or directory" linea_train wdbc.svm "μ/model")
file(GLOB drafts "${folder}/*.draft*")
if(drafts)
  message(FATAL_ERROR "left over: ${drafts}")
endif()
