% The %!test blocks of the package: octave-cli --norc blocks.m PACKAGE. Each file has some, and all pass.
1;
folder = argv (){1};
addpath (folder);
more off
files = [glob(fullfile (folder, '*.m')); glob(fullfile (folder, '+vr', '*.m'))];
assert (numel (files) >= 9);
for k = 1:numel (files)
  [passed, all] = test (files{k}, 'quiet');
  printf ("%s: %d of %d pass\n", files{k}, passed, all);
  if (passed != all || all == 0)
    exit (1);
  end
end
