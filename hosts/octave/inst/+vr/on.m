% vr.on (name, ...)  Run functions compiled wherever they are called by name.
%
% From now on every call of the functions, also by interpreted functions, runs compiled code where there can be any
% (see vr.jit). vr.off ends this, as does `clear NAME`.
%
%   vr.on ('solve', 'step')
%
% See also: vr.off, vr.jit, vr.report

function on (varargin)
  if (nargin == 0)
    error ("Octave:invalid-fun-call", "vr.on: the names of functions");
  end
  __vr__ ("on", varargin{:});
end

%!error <built-in> vr.on ("sin")
%!error <there is no function> vr.on ("no_such_function_here")
%!error <has to be text> vr.on (1)
%!error <the names of functions> vr.on ()
%!test
%! eval ("function r = vr_on_f (x), r = 0; for k = 1:numel (x), r = r + x(k) ^ 2; end, end");
%! unwind_protect
%!   vr.on ("vr_on_f");
%!   assert (vr_on_f ([1 2 3]), 14);
%!   assert (cellfun (@vr_on_f, {[1 2], 3}), [5 9]);
%! unwind_protect_cleanup
%!   vr.off ("vr_on_f");
%! end_unwind_protect
%! assert (vr_on_f ([1 2 3]), 14);
