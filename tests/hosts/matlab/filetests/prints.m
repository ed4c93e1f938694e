% RUN: run --args 2.5 "[1 2 3]"
function r = f(x, v)
  r = x + 1
  printf("%d: %s\n", 3, 'text');
  fprintf('%g\n', v);
  for k = 1:2, disp(v > k); end
  s.a = x;
  s.b = {'t', v};
  s
  puts("end\n");
end
% EXPECT
% display r double 1x1 [3.5]
% printf "%d: %s\n", double 1x1 [3], 'text'
% printf '%g\n', double 1x3 [1 2 3]
% disp logical 1x3 [0 1 1]
% disp logical 1x3 [0 0 1]
% display s {a double 1x1 [2.5], b {'t', double 1x3 [1 2 3]}}
% puts "end\n"
% double 1x1 [3.5]
