% RUN: run --on interp --args 4
% The structures in a field of an array of structures have the same fields in all elements, at any depth.
function r = f(n)
  for k = 1:n
    s(k).p = struct('q', struct('u', k));
  end
  s(2).p = struct('q', struct('u', 900, 'v', 7));
  r = numel(s) + s(2).p.q.u;
end
% EXPECT
% refused: refused-inner-fields.m:7:3: error: an array of structures with other fields [unsupported]
% exit 1
