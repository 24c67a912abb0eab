/**
 * Returns a stack without parts that differ between machines and code changes: a frame consists of the function and the file name,
 * and frames of Node and of installed packages, including the test runner, are omitted.
 */
export function stableStack(stacktrace: string): string {
  return stacktrace
    .split('\n')
    .flatMap((line) => (/^\s+at /.test(line) ? frameOf(line) : [line]))
    .join('\n')
}

function frameOf(line: string): string[] {
  if (/\bnode:|node_modules|\(native\)|<anonymous>\)?$/.test(line)) return []
  const [, indent, text] = /^(\s+)at (.*)$/.exec(line)!
  const [, called, place] = /^(.*?) \((.*)\)$/.exec(text!) ?? [undefined, undefined, text!]
  // Remove `async`, which describes how the frame was reached and can change with V8.
  const name = called?.replace(/^async /, '')
  const file = place
    .replace(/(?::\d+)+$/, '')
    .split(/[/\\]/)
    .at(-1)!
  return [name === undefined ? `${indent}at ${file}` : `${indent}at ${name} (${file})`]
}
