import { expressOrders } from './orders/express.ts'
import { fastifyOrders } from './orders/fastify.ts'
import { asciiUploads, twoByteUploads } from './uploads/service.ts'
import type { Service } from './service.ts'

export const services = {
  fastify: fastifyOrders,
  express: expressOrders,
  'csv-ascii': asciiUploads,
  'csv-two-byte': twoByteUploads,
} as const satisfies Readonly<Record<string, Service>>

export type ServiceName = keyof typeof services

export const serviceOf = (name: ServiceName): Service => services[name]
