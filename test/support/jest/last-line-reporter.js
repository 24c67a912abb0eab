/** Ends the output with one line that a script can read. */
export default class LastLineReporter {
  onRunComplete(_contexts, results) {
    // A file that could not be loaded has no failed test, but counts as a failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites
    const skipped = results.numPendingTests + results.numTodoTests
    const tail = skipped > 0 ? `, ${skipped} skipped` : ''
    // Jest prints its own summary after every reporter, so the last line is for the exit event.
    process.once('exit', () => process.stdout.write(`${results.numPassedTests} passed, ${failed} failed${tail}\n`))
  }
}
