# Runs TESTS on the Oclgrind simulator and reads its log: invalid accesses, data races, divergence and uninitialised values are
# only found there, for the simulator's exit status is always 0. Arguments: TESTS, ICD (the simulator's library), DIR, FILTER, and
# UNINITIALIZED 0 to leave out the search for uninitialised values.
file(MAKE_DIRECTORY ${DIR}/vendors)
file(WRITE ${DIR}/vendors/oclgrind.icd "${ICD}\n")
file(REMOVE ${DIR}/oclgrind.log)
set(ENV{OCL_ICD_VENDORS} ${DIR}/vendors)
set(ENV{OCLGRIND_DATA_RACES} 1)
if(NOT DEFINED UNINITIALIZED)
  set(UNINITIALIZED 1)
endif()
set(ENV{OCLGRIND_UNINITIALIZED} ${UNINITIALIZED})
set(ENV{OCLGRIND_MAX_ERRORS} 20)
set(ENV{OCLGRIND_LOG} ${DIR}/oclgrind.log)
set(ENV{OPENCL_LAYERS} "")
set(ENV{VR_DEVICE} Oclgrind)
set(ENV{VR_ZERO_COPY} 0)  # memory of the host counts as uninitialised there
# So do copies of what the host writes to mapped memory of a large buffer, in a program of nothing but clEnqueueMapBuffer and
# clEnqueueWriteBuffer as well: a cumsum of 100 x 33000 elements was reported for copies through pinned memory.
set(ENV{VR_STAGING} 0)
execute_process(COMMAND ${TESTS} --gtest_filter=${FILTER} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the tests failed on Oclgrind: ${status}")
endif()
if(EXISTS ${DIR}/oclgrind.log)
  file(READ ${DIR}/oclgrind.log log)
  string(STRIP "${log}" log)
  if(log)
    message(FATAL_ERROR "Oclgrind found:\n${log}")
  endif()
endif()
message("oclgrind: nothing found")
