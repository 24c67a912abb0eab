import { foreignNames, type ForeignNames } from './foreign-names.ts'

/** Names for `requestLog` of each framework. */
export const foreignRequestLogOptionNames: ForeignNames = foreignNames([
  ['genReqId idGenerator generateId requestIdGenerator', 'write generateRequestId'],
  ['useLevel customLogLevel statusLevels levelFor', 'write level: (exchange) => …'],
  [
    'autoLogging skip ignoreRoute ignoredRoutes ignorePaths exclude excludePaths filter disableRequestLogging',
    "write ignore: ['/health'] or a function",
  ],
  ['customProps dynamicMeta meta metaField props context base', 'write attributes: (request) => ({ … })'],
  [
    'customSuccessMessage customErrorMessage msg format expressFormat messageFormat statusMessage',
    "write message: '{http.request.method} {http.route}', or a function",
  ],
  ['customReceivedMessage', "write logStart: '{http.request.method} {url.path}'"],
  [
    'customSuccessObject customErrorObject customReceivedObject customAttributeKeys',
    'write attributes: (request) => ({ … }), or call currentRequest().set({ … })',
  ],
  [
    'wrapSerializers serializers redact transport transports stream exporter formatters messageKey',
    'set it in createLogger',
  ],
  ['quietReqLogger quietResLogger', 'remove it: records of the request have its attributes'],
  ['winstonInstance loggerInstance log instance', 'write logger'],
  ['immediate logOnStart logRequest started', 'write logStart: true'],
  [
    'logHeaders headers requestWhitelist headerWhitelist includeHeaders',
    "write requestHeaders: ['user-agent'] or responseHeaders",
  ],
  ['responseWhitelist', "write responseHeaders: ['content-type']"],
  [
    'headerBlacklist requestFilter responseFilter',
    'remove it: only listed requestHeaders and responseHeaders are logged',
  ],
  ['logBody logRequestBody body bodyWhitelist', 'write requestBody: true'],
  ['logResponseBody', 'write responseBody: true'],
  ['bodyBlacklist', "write redact: ['http.request.body.content.password'] in createLogger"],
  ['slowThreshold slowRequestMs slowMs', 'write slowMillis: 1000'],
  ['sampleRate samplingRate sampling', 'write sample: 0.1'],
  [
    'requestIdLogLabel requestIdProperty idHeader correlationIdHeader headerName reqIdHeader',
    "write requestIdHeader: 'x-request-id'",
  ],
  ['trustHeader trustIncoming', 'write trustRequestId'],
  ['setHeader exposeHeader responseHeader', 'write echoRequestId: true'],
  ['logQuery includeQuery queryString', 'write query'],
  ['secretQuery maskQuery redactQuery', "write secretParameters: ['token']"],
])
