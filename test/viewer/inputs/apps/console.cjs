console.log('console: %s', 'started', { port: 3000 })
console.error('console: failed', new RangeError('too many'))
process.emitWarning('console: old option', 'DeprecationWarning', 'DEP9001')
