/**
 * A stack without what differs from machine to machine and from change to change: a frame is the function and the name of its
 * file, and frames of Node and of installed packages, a test runner's among them, are left out.
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
  // `async` says how the frame was reached, which a change of V8 can change.
  const name = called?.replace(/^async /, '')
  const file = place
    .replace(/(?::\d+)+$/, '')
    .split(/[/\\]/)
    .at(-1)!
  return [name === undefined ? `${indent}at ${file}` : `${indent}at ${name} (${file})`]
}
