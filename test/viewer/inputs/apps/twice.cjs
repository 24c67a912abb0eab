// An app that writes its records to the output, and sends them by OTLP too.
const { logs } = require('@opentelemetry/api')
const { NodeSDK } = require('@opentelemetry/sdk-node')
const { PinoInstrumentation } = require('@opentelemetry/instrumentation-pino')

const sdk = new NodeSDK({ serviceName: 'twice', instrumentations: [new PinoInstrumentation()] })
sdk.start()
console.log('order placed')
logs.getLogger('orders').emit({ severityNumber: 9, body: 'order placed' })
console.warn('order delayed')
logs.getLogger('orders').emit({ severityNumber: 13, body: 'order delayed' })
const log = require('pino')()
let round = 0
write()
const timer = setInterval(write, 100)

function write() {
  for (let index = 0; index < 3; index++) log.info({ index }, 'round %d', round)
  if (++round < 15) return
  clearInterval(timer)
  void sdk.shutdown()
}
