// Writes a line of JSON for each assertion of a type test file: its text, whether it holds, and its error. Another line
// has whether the file compiles, because assertions are not checked in a file that does not compile.
export default class TypeReporter {
  on([event, { result, diagnostics = [] }]) {
    switch (event) {
      case 'file:start':
        this.faults = []
        break
      case 'file:error':
      case 'expect:error':
      case 'directive:error':
      case 'suppressed:error':
        this.faults.push(...diagnostics.map(({ text }) => textOf(text)))
        break
      case 'file:end':
        writeOutcome(result.file.path, 'compiles', this.faults.length === 0, this.faults[0])
        break
      case 'expect:pass':
      case 'expect:fail':
        writeOutcome(
          fileOf(result.expect),
          titleOf(result.expect),
          event === 'expect:pass',
          textOf(diagnostics[0]?.text ?? ''),
        )
        break
      case 'expect:skip':
      case 'expect:fixme':
        writeOutcome(fileOf(result.expect), titleOf(result.expect), false, '', event.slice('expect:'.length))
        break
      default:
    }
  }
}

function writeOutcome(path, title, passed, error = '', notRun) {
  process.stdout.write(JSON.stringify({ title, passed, error, notRun, path }) + '\n')
}

function fileOf({ node }) {
  return node.getSourceFile().fileName
}

function titleOf({ node }) {
  let whole = node
  while (whole.parent.expression === whole) whole = whole.parent
  return whole.getText().replaceAll(/\s+/g, ' ')
}

function textOf(text) {
  return String(Array.isArray(text) ? text[0] : text).split('\n')[0]
}
