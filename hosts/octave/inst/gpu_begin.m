% gpu_begin ()  Begin an accelerated section of a compiled function (the thesis's 9.1.1).
%
% Compiled code runs the statements between gpu_begin () and gpu_end () on the OpenCL device with
% vr.settings ("target", "opencl"). The interpreter takes no notice.

function gpu_begin ()
end

%!test
%! gpu_begin ();
