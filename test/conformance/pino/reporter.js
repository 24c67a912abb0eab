// Writes a line of JSON for each test of a file: its title, whether it passed, and what was wrong.
export default async function* reporter(events) {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.nesting > 0 || data.skip !== undefined || data.todo !== undefined) continue
    const error = data.details?.error
    const said = String(error?.cause?.message ?? error?.message ?? '').split('\n')[0]
    yield JSON.stringify({ title: data.name, passed: type === 'test:pass', error: said }) + '\n'
  }
}
