// Functions that fail, for the stack traces of the scenes.

class PaymentError extends Error {
  override name = 'PaymentError'
  readonly code = 'card_declined'
}

/** Throws an error with the cause that a payment provider would have. */
export async function chargeCard(orderId: number): Promise<never> {
  try {
    return await connect('payments.internal:443')
  } catch (error) {
    throw new PaymentError(`charge for order ${orderId} refused`, { cause: error })
  }
}

/** Throws an error with a chain of two causes. */
export async function placeOrder(orderId: number): Promise<never> {
  try {
    return await chargeCard(orderId)
  } catch (error) {
    throw new Error('order rejected', { cause: error })
  }
}

/** Throws an AggregateError. */
export async function restock(products: readonly string[]): Promise<never> {
  throw new AggregateError(
    products.map((product) => new RangeError(`no supplier for ${product}`)),
    'restock failed',
  )
}

async function connect(address: string): Promise<never> {
  await new Promise((resolve) => setImmediate(resolve))
  throw Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: 'ECONNREFUSED' })
}

interface Order {
  readonly items: readonly { readonly price: number }[]
}

/** Returns the total of an order. Throws a TypeError for a missing order. */
export function totalOf(order: Order | undefined): number {
  return order!.items.reduce((total, { price }) => total + price, 0)
}
