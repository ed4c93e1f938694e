% RUN: run --args 4
function r = f(x)
  r = 1;
  r = r + acos(x);
end
% EXPECT
% bailed out: bail-reason.m:4:3: a complex result of acos
% exit 1
