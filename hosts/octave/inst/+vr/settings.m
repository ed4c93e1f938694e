% vr.settings (name, value, ...)  Change settings of compiled functions.
% s = vr.settings ()               The settings, as a structure.
%
%   enabled     whether functions run compiled at all (true)
%   target      'cpu-par' all processors (the default), 'cpu' one, 'opencl' sections between %#vr gpu and %#vr end on
%               the OpenCL device, 'interp' a slow interpreter, for tests
%   tiered      answer first calls by code that is compiled quickly, and optimise in the background (true)
%   opt_level   0 to 3 (2)
%   threads     0: as many as there are processors, or what the environment variable VR_NUM_THREADS says
%   disk_cache  keep compiled code on disk for later sessions (true)
%   versions    for how many different classes and shapes of arguments a function is compiled (32)
%
% All functions compile anew after a change.
%
% See also: vr.report, vr.jit

function s = settings (varargin)
  if (nargin == 0)
    s = __vr__ ("settings");
    return;
  end
  if (mod (nargin, 2) != 0)
    error ("Octave:invalid-fun-call", "vr.settings: names and values");
  end
  for k = 1:2:nargin
    __vr__ ("set", varargin{k}, varargin{k + 1});
  end
end

%!test
%! before = vr.settings ();
%! unwind_protect
%!   vr.settings ("target", "cpu", "opt_level", 1);
%!   s = vr.settings ();
%!   assert (s.target, "cpu");
%!   assert (s.opt_level, 1);
%!   g = vr.jit (@(x) x + 1);
%!   assert (g (1), 2);
%!   vr.settings ("enabled", false);
%!   assert (g (1), 2);
%! unwind_protect_cleanup
%!   vr.settings ("target", before.target, "opt_level", before.opt_level, "enabled", before.enabled);
%! end_unwind_protect
%!error <there is no setting> vr.settings ("colour", 1)
%!error <has to be> vr.settings ("target", "gpu")
%!error <has to be a whole number> vr.settings ("opt_level", 9)
%!error <has to be a whole number> vr.settings ("threads", "many")
%!error <names and values> vr.settings ("threads")
