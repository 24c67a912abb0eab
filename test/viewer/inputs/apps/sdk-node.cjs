// An app of OpenTelemetry without any configuration in its code.
const { logs, trace } = require('@opentelemetry/api')
const { NodeSDK } = require('@opentelemetry/sdk-node')

const sdk = new NodeSDK()
sdk.start()
const logger = logs.getLogger('billing')
trace.getTracer('billing').startActiveSpan('charge card', (span) => {
  logger.emit({ severityNumber: 17, severityText: 'ERROR', body: 'sdk: payment failed', attributes: { order: 17 } })
  span.end()
})
logger.emit({ severityNumber: 9, body: 'sdk: started' })
void sdk.shutdown()
