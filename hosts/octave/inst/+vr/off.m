% vr.off (name, ...)  Let the interpreter run these functions again.
% vr.off              The same for all functions for which vr.on was called.
%
% See also: vr.on

function off (varargin)
  __vr__ ("off", varargin{:});
end

%!error <is not on> vr.off ("no_such_function_here")
%!test
%! eval ("function r = vr_off_f (x), r = x + 1; end");
%! vr.on ("vr_off_f");
%! vr.off ();
%! assert (vr_off_f (1), 2);
%! fail ("vr.off ('vr_off_f')", "is not on");
