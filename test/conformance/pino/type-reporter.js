// Writes a line of JSON for each assertion of a file of types: its text, whether it holds, and what was wrong. One line more says
// whether the file compiles: where it does not, nothing in it was asked.
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
        say(result.file.path, 'compiles', this.faults.length === 0, this.faults[0])
        break
      case 'expect:pass':
      case 'expect:fail':
        say(fileOf(result.expect), titleOf(result.expect), event === 'expect:pass', textOf(diagnostics[0]?.text ?? ''))
        break
      case 'expect:skip':
      case 'expect:fixme':
        say(fileOf(result.expect), titleOf(result.expect), false, '', event.slice('expect:'.length))
        break
      default:
    }
  }
}

function say(path, title, passed, error = '', left) {
  process.stdout.write(JSON.stringify({ title, passed, error, left, path }) + '\n')
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
