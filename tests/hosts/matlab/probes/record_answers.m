% Records what Octave answers for the probes: octave-cli --norc record_answers.m PROBES.txt ANSWERS.json
% A probe is a name behind "==", perhaps "args:" (an Octave list) and "nargout:", and the text of a function f.
1;

function s = number (x)
  if isnan (x)
    s = '"nan"';
  elseif isinf (x)
    s = '"inf"';
    if x < 0
      s = '"-inf"';
    end
  else
    s = sprintf ('%.17g', x);
  end
end

function s = list (x)
  parts = arrayfun (@number, double (x(:).'), 'UniformOutput', false);
  s = ['[' strjoin(parts, ', ') ']'];
end

function s = value (x)
  if ischar (x)
    s = sprintf ('{"class": "char", "text": %s}', quoted (x));
    return
  end
  if iscell (x) || isstruct (x) || is_function_handle (x)
    error ('a result that cannot be recorded');
  end
  s = sprintf ('{"class": "%s", "dims": %s, "re": %s', class (x), list (size (x)), list (real (x)));
  if iscomplex (x)
    s = [s sprintf(', "im": %s', list (imag (x)))];
  end
  s = [s '}'];
end

function s = quoted (t)
  t = strrep (t, '\', '\\');
  t = strrep (t, '"', '\"');
  t = strrep (t, "\n", '\n');
  t = strrep (t, "\t", '\t');
  s = ['"' t '"'];
end

function s = answer (p)
  text = strjoin (p.text, "\n");
  clear -f f
  eval (text);
  args = {};
  eval (['args = {' p.args '};']);
  parts = cellfun (@value, args, 'UniformOutput', false);
  s = sprintf ('{"name": %s, "args": [%s], "text": %s, "nargout": %d, ', quoted (p.name), strjoin (parts, ', '), quoted (text), p.nargout);
  try
    lastwarn ('');
    out = cell (1, p.nargout);
    if p.nargout > 0
      [out{:}] = f (args{:});
    else
      f (args{:});
    end
    parts = cellfun (@value, out, 'UniformOutput', false);
    s = [s sprintf('"results": [%s]}', strjoin (parts, ', '))];
  catch e
    if ! isempty (strfind (e.message, 'XERBLA'))
      s = '';  % a product of empty matrices that Octave passes to BLAS, which refuses: no answer
      return
    end
    s = [s sprintf('"error": %s}', quoted (e.message))];
  end
end

args = argv ();
lines = strsplit (fileread (args{1}), "\n");
probes = {};
p = [];
for k = 1:numel (lines)
  l = lines{k};
  if strncmp (l, '== ', 3)
    if ! isempty (p)
      probes{end+1} = p;
    end
    p = struct ('name', l(4:end), 'args', '', 'nargout', 1);
    p.text = {};
  elseif strncmp (l, 'args: ', 6)
    p.args = l(7:end);
  elseif strncmp (l, 'nargout: ', 9)
    p.nargout = str2double (l(10:end));
  elseif ! isempty (p) && ! (isempty (l) && isempty (p.text))
    p.text{end+1} = l;
  end
end
probes{end+1} = p;
warning ('off', 'all');
more off
answers = cell (1, numel (probes));
for k = 1:numel (probes)
  while numel (probes{k}.text) && isempty (probes{k}.text{end})
    probes{k}.text(end) = [];
  end
  answers{k} = answer (probes{k});
end
answers(cellfun (@isempty, answers)) = [];
h = fopen (args{2}, 'w');
fprintf (h, '{"octave": "%s", "probes": [\n%s\n]}\n', version (), strjoin (answers, ",\n"));
fclose (h);
