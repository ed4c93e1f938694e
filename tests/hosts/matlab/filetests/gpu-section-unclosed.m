% RUN: emit --args double
function y = f(x)
  %#vr gpu
  y = x;
end
% EXPECT
% gpu-section-unclosed.m:3:3: error: an accelerated section that has no end in the same block [unsupported]
%     write %#vr end
% exit 1
