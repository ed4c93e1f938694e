% Runs the probes of tests/hosts/matlab/probes by vr.compare, in Octave: octave-cli --norc probes.m PACKAGE PROBES.txt...
% The last line has the counts; fails when one is wrong. Environment variables: PROBES_OUT names a file that gets a line
% for each probe, PROBES_TARGET is a target of vr.settings.
1;

function list = read_probes (file)
  lines = strsplit (fileread (file), "\n");
  list = {};
  for k = 1:numel (lines)
    l = lines{k};
    if (strncmp (l, '== ', 3))
      list{end+1} = struct ('name', l(4:end), 'args', '', 'nargout', 1, 'text', '');
    elseif (strncmp (l, 'args: ', 6))
      list{end}.args = l(7:end);
    elseif (strncmp (l, 'nargout: ', 9))
      list{end}.nargout = str2double (l(10:end));
    elseif (! isempty (list))
      list{end}.text = [list{end}.text l "\n"];
    end
  end
end

function c = run_probe (p)
  clear -f f
  eval (p.text);
  args = {};
  eval (['args = {' p.args '};']);
  c = vr.compare (p.nargout, 'f', args{:});
end

arguments = argv ();
addpath (arguments{1});
warning ('off', 'all');
more off
counts = struct ('right', 0, 'bailed_out', 0, 'in_part', 0, 'refused', 0, 'wrong', 0);
if (! isempty (getenv ('PROBES_TARGET')))
  vr.settings ('target', getenv ('PROBES_TARGET'), 'tiered', false);
end
out = '';
for file = arguments(2:end)'
  [~, stem] = fileparts (file{1});
  for p = read_probes (file{1})
    c = run_probe (p{1});
    key = strrep (c.outcome, ' ', '_');
    counts.(key) += 1;
    line = sprintf ('%s: %s: %s', stem, p{1}.name, c.outcome);
    out = [out line "\n"];
    if (strcmp (c.outcome, 'wrong'))
      printf ("%s: %s\n", line, c.reason);
    end
  end
end
if (! isempty (getenv ('PROBES_OUT')))
  h = fopen (getenv ('PROBES_OUT'), 'w');
  fputs (h, out);
  fclose (h);
end
printf ("probes: %d right, %d bailed out, %d in part, %d refused, %d wrong\n", counts.right, counts.bailed_out, counts.in_part, counts.refused, counts.wrong);
exit (counts.wrong > 0 || counts.right + counts.in_part == 0);
