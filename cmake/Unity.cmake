# VR_UNITY: the files of each target are compiled in batches, as if each batch were one file, so that headers are read and
# templates are instantiated once for a batch. A build from nothing takes less than half of the processor time; an edit
# recompiles more, so the option is off unless a script sets it (scripts/build.sh).
# It needs local names (anonymous namespaces, static) that differ within a target, and no `using namespace` outside of
# namespaces. Files that do otherwise are compiled alone (vr_apart), and targets with many of them say UNITY_BUILD OFF.
if(VR_UNITY)
  set(CMAKE_UNITY_BUILD ON)
  set(CMAKE_UNITY_BUILD_BATCH_SIZE 12)
  # It spares the file that is compiled, but that is the batch.
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()

# vr_apart(FILE...): source files of targets in this folder that are compiled alone.
function(vr_apart)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
