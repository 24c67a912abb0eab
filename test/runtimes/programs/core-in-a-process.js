// `node core-in-a-process.js URL`. Prints the delivery statistics last.
import './core.js'

console.log(JSON.stringify(await globalThis.logByCore(process.argv[2])))
