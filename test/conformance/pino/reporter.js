// Writes a line of JSON for each test of a file: its title, whether it passed, and its error. `notRun` is set for tests
// that are skipped or not yet written, including nested tests.
export default async function* reporter(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const notRun = data.skip !== undefined ? 'skip' : data.todo !== undefined ? 'todo' : undefined
    if (data.nesting > 0 && notRun === undefined) continue
    const error = data.details?.error
    const message = String(error?.cause?.message ?? error?.message ?? '').split('\n')[0]
    yield JSON.stringify({ title: data.name, passed: type === 'test:pass', error: message, notRun }) + '\n'
  }
}
