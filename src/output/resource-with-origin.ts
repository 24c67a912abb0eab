import type { AnyValueMap } from '../record/any-value.ts'
import type { ReadRecord } from '../read/record.ts'

/**
 * Adds the container that a prefix or an envelope names to resources, as the attribute `container.name`. The application of a syslog message
 * is not a container.
 */
export class ResourceWithOrigin {
  private lastResource: AnyValueMap | undefined
  private lastContainer: string | undefined
  private lastResult: AnyValueMap | undefined

  /** Returns the resource of a record with its container; the same map for consecutive records of one resource and container. */
  of({ resource, origin: { container, isApplication } }: ReadRecord): AnyValueMap {
    if (container === undefined || isApplication === true) return resource
    if (resource !== this.lastResource || container !== this.lastContainer || this.lastResult === undefined) {
      this.lastResource = resource
      this.lastContainer = container
      this.lastResult = resource.has('container.name')
        ? resource
        : new Map([...resource, ['container.name', container]])
    }
    return this.lastResult
  }
}
