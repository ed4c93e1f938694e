% vr.compare (f, ...)               Run a function compiled and interpreted, and show the differences.
% c = vr.compare (f, ...)           The same as a structure.
% c = vr.compare (nargout, f, ...)  Request this number of results; by default as many as the function has.
%
% f is a handle or a name, followed by the arguments of a call. The interpreter and compiled code each run the call
% once. Classes, sizes and complexity of the results must be equal; elements may differ by a relative error of 1e-10, or
% 1e-4 in single precision. If the interpreter raises an error, compiled code must bail out.
%
% What the call prints has to be the same text. A function that remembers earlier calls (persistent) cannot be compared.
%
% The fields of c: outcome, reason, results (of the interpreter), error (its message, or empty), output (what the
% interpreter printed). The outcomes:
%   "right"       compiled code gave the interpreter's results
%   "bailed out"  compiled code left the call to the interpreter; reason says why
%   "in part"     the function was not compiled, but parts of it were, and gave the interpreter's results; reason says why
%   "refused"     nothing of the function was compiled for these arguments; reason says why
%   "wrong"       compiled code gave something else: an error of Velociraptor
%
% See also: vr.jit, vr.report

function c = compare (varargin)
  n = [];
  if (nargin > 0 && isnumeric (varargin{1}) && isscalar (varargin{1}))
    n = varargin{1};
    varargin(1) = [];
  end
  if (isempty (varargin))
    error ("Octave:invalid-fun-call", "vr.compare: expected a function and its arguments");
  end
  f = varargin{1};
  args = varargin(2:end);
  if (isempty (n))
    n = 1;
    try
      n = abs (nargout (f));
    catch
    end_try_catch
  end
  if (ischar (f) || is_function_handle (f))
    g = vr.jit (f);
  else
    error ("Octave:invalid-fun-call", "vr.compare: expected a function handle or a name");
  end
  c = struct ("outcome", "", "reason", "", "results", {cell(1, n)}, "error", "", "output", "");
  before = {rand("state"), randn("state"), rande("state")};
  [c.output, c.results, c.error] = captured ("interpret", g, n, args);
  draw_again (before);
  [answered, why, out, printed] = __vr__ ("attempt", g, n, args{:});
  if (answered)
    c.outcome = "right";
    if (! isempty (c.error))
      c.outcome = "wrong";
      c.reason = ["compiled code gave a result, but the interpreter raised the error: " c.error];
    end
    c = check_results (c, out);
    c = check_output (c, printed);
  else
    k = strfind (why, ": ");
    c.outcome = why(1:k(1)-1);
    c.reason = why(k(1)+2:end);
    if (strcmp (c.outcome, "refused"))
      draw_again (before);
      [printed, out, message, parts] = captured ("parts", g, n, args);
      if (isempty (message) && numel (out) < n)
        message = "some elements undefined in return list";
      endif
      if (! strcmp (message, c.error))
        c.outcome = "wrong";
        c.reason = sprintf ("with compiled parts, the error is '%s' and not '%s'", message, c.error);
      elseif (parts > 0)
        c.outcome = "in part";
      end
      if (isempty (message))
        c = check_results (c, out);
      end
      c = check_output (c, printed);
    end
  end
  if (nargout == 0)
    printf ("%s", c.outcome);
    if (! isempty (c.reason))
      printf (": %s", c.reason);
    end
    printf ("\n");
    clear c;
  end
end

% Both calls get the same random numbers. (The old generators of rand ("seed") are left alone.)
function draw_again (before)
  if (! isequal ({rand("state"), randn("state"), rande("state")}, before))
    rand ("state", before{1});
    randn ("state", before{2});
    rande ("state", before{3});
  end
end

% A call whose output is text: what it printed, its results, the message of its error, the number of compiled parts.
function [text, out, message, parts] = captured (how, g, n, args)
  out = cell (1, n);
  message = "";
  parts = 0;
  body = "[out{1:n}] = __vr__ (how, g, n, args{:});";
  if (strcmp (how, "parts"))
    body = "[parts, out] = __vr__ (how, g, n, args{:});";
  elseif (n == 0)
    body = "__vr__ (how, g, 0, args{:});";
  end
  text = evalc (["try, " body " catch e, message = e.message; out = {}; end_try_catch"]);
end

function c = check_output (c, printed)
  if (! strcmp (c.outcome, "wrong") && ! strcmp (printed, c.output))
    c.outcome = "wrong";
    n = min (numel (printed), numel (c.output));
    k = [find(printed(1:n) != c.output(1:n), 1), n + 1](1);
    c.reason = sprintf ("output '%s' instead of '%s', different from character %d on", undo_string_escapes (printed),
                        undo_string_escapes (c.output), k);
  end
end

function c = check_results (c, out)
  for k = 1:numel (c.results)
    why = "";
    if (k > numel (out))
      why = "it is missing";
    else
      why = vr.difference (out{k}, c.results{k});
    end
    if (! isempty (why))
      c.outcome = "wrong";
      c.reason = sprintf ("result %d: %s", k, why);
      break;
    end
  end
end

%!test
%! c = vr.compare (@(x) x + 1, 1:3);
%! assert (c.outcome, "right");
%! assert (c.results, {2:4});
%!test
%! c = vr.compare (@(x) acos (x), 2);
%! assert (c.outcome, "bailed out");
%! assert (c.results, {acos(2)});
%!test
%! c = vr.compare (@(x) x(3), [1 2]);
%! assert (c.outcome, "bailed out");
%! assert (! isempty (c.error));
%!test
%! c = vr.compare (@(x) num2cell (x), 1);
%! assert (c.outcome, "refused");
%!test
%! c = vr.compare (2, @(x) max (x), [3 1 2]);
%! assert (c.outcome, "right");
%! assert (c.results, {3, 1});
%!test  # structures and cell arrays, in and out
%! c = vr.compare (@(s, k) struct ("sum", s.a + sum (s.b) + k{2}, "names", {{"x", k{1}}}), struct ("a", 2, "b", [1 2 3]), {"y", 4});
%! assert (c.outcome, "right");
%! assert (c.results{1}.names, {"x", "y"});
%!test
%! c = vr.compare (@(s) s.f (2) + s.in.k, struct ("f", @(x) x * 3, "in", struct ("k", 1)));
%! assert (c.outcome, "right");
%! assert (c.results, {7});
%!test
%! c = vr.compare (@(t, k) t(end:-1:k), "abc", 2);
%! assert (c.outcome, "right");
%! assert (c.results, {"cb"});
%!test
%! c = vr.compare (@(s) s(2:end), struct ("a", {1, [2 3], 4}, "p", {struct("q", {"x"})}));
%! assert (c.outcome, "right");
%! assert (c.results{1}(1).a, [2 3]);
%!test
%! c = vr.compare (@(s) numel (s), repmat (struct ("a", 1), 2, 2));
%! assert (c.outcome, "refused");
%!test
%! c = vr.compare (@(s) s(1).a, struct ("a", {1, "x"}));
%! assert (c.outcome, "refused");
%!test
%! c = vr.compare (@(c) numel (c) + c{77}, num2cell (1:100));
%! assert (c.results, {177});
%! assert (c.outcome, "right");
%!test
%! c = vr.compare (@(c) numel (c), repmat ({1, "x"}, 1, 50));
%! assert (c.outcome, "refused");
%!test  # output
%! c = vr.compare (0, @(x) disp (x), 1:3);
%! assert (c.output, "   1   2   3\n");
%!test  # functions of matrices that Octave computes for compiled code
%! A = [4 1 2; 1 3 .5; .2 1 5];
%! for f = {@(A) rref (A) + 1, @(A) null (A(1:2,:)), @(A) corrcoef (A(1,:), A(2,:)), @(A) sqrtm (A), @(A) rcond (A) * 2, ...
%!          @(A) spline (1:3, A(1,:), 1.5), @(A) interp1 (1:3, A(2,:), 2.5, "spline"), @(A) expint (A), @(A) cov (A), @(A) inverse (A)}
%!   c = vr.compare (f{1}, A);
%!   assert (c.outcome, "right");
%! end
%! c = vr.compare (@(A) sqrtm (A), [-1 0; 0 4]);
%! assert (c.outcome, "bailed out");
%! assert (iscomplex (c.results{1}));
%! c = vr.compare (@(A) rref (A), single ([1 2; 3 4]));
%! assert (any (strcmp (c.outcome, {"right", "refused", "bailed out"})));
%!test  # random numbers
%! rand ("state", 1); a = rand (1, 3); rand ("state", 1);
%! g = vr.jit (@(n) rand (1, n));
%! assert (g (3), a);
%! c = vr.compare (@(n) sum (randn (n, 2)) + rand () * randi ([2 9]) + randperm (n)(1:2), 4);
%! assert (c.outcome, "right");
%!test  # a call that bails out draws its numbers again
%! g = vr.jit (@(n) acos (rand (1, n) + 2) + randn ());
%! rand ("state", 1); randn ("state", 2); a = acos (rand (1, 3) + 2) + randn (); after = [rand(), randn()];
%! rand ("state", 1); randn ("state", 2);
%! assert (g (3), a);
%! assert ([rand(), randn()], after);
%! rand ("seed", 5); a = acos (rand (1, 3) + 2) + rand ();
%! g = vr.jit (@(n) acos (rand (1, n) + 2) + rand ());
%! rand ("seed", 5);
%! assert (g (3), a);
%! rand ("state", 1);
%!test
%! c = vr.compare (@(z) sprintf ("%g|%s\n", z, "x"), [1+2i, 3]);
%! assert (c.outcome, "right");
%!test  # functions that take handles: compiled with the handle, or run by Octave
%! for f = {@(k) fzero (@(x) x ^ 2 - k, [0 3]), @(k) fzero ("cos", [0 k]), @(k) fminsearch (@(x) (x(1) - k) ^ 2 + (x(2) - 3) ^ 2, [0 0]), ...
%!          @(k) fminbnd (@(x) (x - k) ^ 2, 0, 3), @(k) quad (@(x) x * k, 0, 1) + quadgk (@(x) x .^ k, 0, 1), ...
%!          @(k) quadl (@(x) x .^ k, 0, 1) + integral (@(x) x .^ k, 0, 1), @(k) lsode (@(y, t) -k * y, 1, [0 1 2]'), ...
%!          @(k) dblquad (@(x, y) x .* y * k, 0, 1, 0, 1), @(k) fsolve (@(x) [x(1) ^ 2 - k; x(2) - x(1)], [1; 1]), ...
%!          @(k) fzero (@(x) x ^ 2 - k, [0 3], optimset ("TolX", 1e-3, "Display", "off"))}
%!   c = vr.compare (f{1}, 2);
%!   assert (c.outcome, "right");
%! end
%! c = vr.compare (2, @(k) ode45 (@(t, y) [y(2); -k * y(1)], [0 1], [1 0], odeset ("RelTol", 1e-6)), 2);
%! assert (c.outcome, "right");
%! c = vr.compare (@(k) fzero (@(x) x ^ 2 + k, [0 3]), 2);
%! assert (c.outcome, "bailed out");
%! assert (! isempty (c.error));
%!function r = __vr_prints__ (x)
%!  printf ("%g\n", x);
%!  r = x - 1;
%!endfunction
%!function r = __vr_counts__ (x)
%!  persistent n = 0;
%!  n += 1;
%!  r = x - 1;
%!endfunction
%!function x = __vr_solves__ (f, k)
%!  disp (1);
%!  x = quad (@(x) f (x) * k, 0, 1);
%!  disp (2);
%!endfunction
%!test  # what a handle prints is a part of the output; one with effects is refused
%! c = vr.compare (1, @__vr_solves__, @__vr_prints__, 2);
%! assert (c.outcome, "right");
%! assert (strncmp (c.output, "1\n", 2));
%! c = vr.compare (1, @__vr_solves__, @__vr_counts__, 2);
%! assert (c.outcome, "refused");
%!test  # options whose names are known
%! function_of = @(k) optimget (optimset (optimset ("tolx", k), "MaxIter", 7), "TolX") + optimget (struct (), "TolFun", 11);
%! c = vr.compare (function_of, 3);
%! assert (c.results, {14});
%! c = vr.compare (function_of, 3);
%! assert (c.outcome, "right");
%!function x = __vr_persistent__ (k)
%!  persistent a = sqrt (2), b = [1 2; 3 4];
%!  x = a * k + b;
%!endfunction
%!function x = __vr_assigned__ (k)
%!  persistent n = 0;
%!  n = k;
%!  x = n;
%!endfunction
%!test  # persistent variables that are constants
%! c = vr.compare (@__vr_persistent__, 3);
%! assert (c.outcome, "right");
%! c = vr.compare (@__vr_assigned__, 3);
%! assert (c.outcome, "refused");
%!function x = __vr_updates__ (k)
%!  x = zeros (1, 4);
%!  i = 1;
%!  x(i++) = 3;
%!  x(i++) = 4;
%!  y = i--;
%!  x(++i) = y + k;
%!endfunction
%!function x = __vr_twice__ (k)
%!  i = k;
%!  x = [i i++];
%!endfunction
%!test  # updates within statements
%! c = vr.compare (@__vr_updates__, 3);
%! assert (c.outcome, "right");
%! c = vr.compare (@__vr_twice__, 3);
%! assert (c.outcome, "refused");
%!function r = __vr_unrolled__ (c)
%!  f = {};
%!  for k = 1:2
%!    f{k} = @(x) x * k;
%!  end
%!  if (c)
%!    g = f{1};
%!  else
%!    g = f{2};
%!  end
%!  r = g (1);
%!endfunction
%!function r = __vr_captured__ (n)
%!  p = .001;
%!  P = @(k) n * p ^ k;
%!  r = 0;
%!  k = 0;
%!  while (1)
%!    if (r > 2)
%!      break;
%!    else
%!      r += P (k);
%!      k += 1;
%!    end
%!  end
%!endfunction
%!test  # handles that an unrolled loop makes are not the same; captured values of a round
%! c = vr.compare (@__vr_unrolled__, false);
%! assert (c.outcome, "refused");
%! c = vr.compare (@__vr_captured__, 2);
%! assert (c.outcome, "right");
%!test  # assertions
%! c = vr.compare (@(k) cond ([1 k; 3 4], 1) + eps ("double"), 2);
%! assert (c.outcome, "right");
%!function x = __vr_asserts__ (k)
%!  assert (k > 0, "k is %d", k);
%!  assert (k * 2, k + k);
%!  assert (k, k + 1e-9, 1e-6);
%!  x = k;
%!endfunction
%!test
%! c = vr.compare (@__vr_asserts__, 3);
%! assert (c.outcome, "right");
%! c = vr.compare (@__vr_asserts__, -3);
%! assert (c.outcome, "bailed out");
%!function __vr_shows__ (k)
%!  f = @(x) x * k
%!  s.f = f
%!endfunction
%!function __vr_shows_options__ (k)
%!  s = struct ("a", [], "b", "text", "c", struct ("d", k))
%!endfunction
%!test  # a handle is shown with the user's text
%! c = vr.compare (0, @__vr_shows__, 3);
%! assert (c.outcome, "refused");
%! assert (! isempty (strfind (c.output, "@(x) x * k")));
%! c = vr.compare (0, @__vr_shows_options__, 3);
%! assert (c.outcome, "right");
%!error <a function and> vr.compare ()
%!error <a function handle or a name> vr.compare ({})

%!demo
%! % The same results, and a call that compiled code leaves to the interpreter.
%! vr.compare (@(x) cumsum (x) ./ (1:numel (x)), [1 4 9 16]);
%! vr.compare (@(x) x(5), [1 2 3]);
