import type { AnyValue } from '../../record/any-value.ts'
import type { BoundState } from '../../record/bound.ts'
import type { Resource } from '../../record/instrumentation-source.ts'
import type { CoreField } from './layout-bases.ts'
import { dataToJson } from '../plain-data.ts'

/** Returns the value of a field that describes the scope, the resource or the event, as JSON; undefined if it has no value. */
export function originValue(field: CoreField, bound: BoundState, eventName: string | undefined): string | undefined {
  const value = valueOf(field, bound, eventName)
  return value === undefined ? undefined : dataToJson(value)
}

/** The version of the Elastic Common Schema that defines the field names of `ecs`. */
const ecsVersion = '8.11.0'

function valueOf(
  field: CoreField,
  { scope, resource }: BoundState,
  eventName: string | undefined,
): AnyValue | undefined {
  switch (field) {
    case 'ecsVersion':
      return ecsVersion
    case 'scopeName':
      return scope.name
    case 'scopeVersion':
      return scope.version
    case 'eventName':
      return eventName
    case 'serviceName':
      return resource.serviceName
    case 'serviceVersion':
      return resource.attributes.get('service.version')
    case 'serviceContext':
      return serviceContext(resource)
    default:
      return resource.attributes.size === 0 ? undefined : resource.attributes
  }
}

/** Returns the ServiceContext of Error Reporting, which requires a service name. */
function serviceContext({ serviceName, attributes }: Resource): AnyValue | undefined {
  if (serviceName === undefined) return undefined
  const version = attributes.get('service.version')
  return new Map<string, AnyValue>([
    ['service', serviceName],
    ...(version === undefined ? [] : [['version', version] as const]),
  ])
}
