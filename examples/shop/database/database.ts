/** A person with an account. */
export type User = {
  readonly id: string
  /** Unique, in lower case. */
  readonly email: string
  readonly passwordHash: string
}

/** A signed-in browser. */
export type Session = {
  /** Hash of the token in the cookie, so that nobody can sign in with data from the database. */
  readonly tokenHash: string
  readonly userId: string
  readonly expiresAtMs: number
}

/** A product and its quantity. */
export type CartLine = { readonly slug: string; readonly quantity: number }

/** An order, with the prices at the time of the order. */
export type Order = {
  readonly id: string
  readonly userId: string
  readonly createdAtMs: number
  readonly totalCents: number
  readonly lines: readonly CartLine[]
  readonly address: Readonly<Record<'name' | 'street' | 'postcode' | 'city' | 'note', string>>
}

/** Largest quantity of one product in a cart. */
export const maxQuantity = 20

/** Stock of each product before the first sale. */
export const firedOfEach = 12

/** Data of the shop. Each method is atomic. */
export type Database = {
  /** @returns false if the e-mail address already has an account */
  addUser(user: User): Promise<boolean>
  findUserByEmail(email: string): Promise<User | null>
  addSession(session: Session): Promise<void>
  /** @returns null if there is no such session, or it has expired */
  findSessionUser(tokenHash: string, nowMs: number): Promise<User | null>
  deleteSession(tokenHash: string): Promise<void>
  readCart(cartId: string): Promise<readonly CartLine[]>
  /** Adds to the current quantity, up to `maxQuantity`. */
  addToCart(cartId: string, line: CartLine): Promise<void>
  /** Sets the quantity of a product in the cart. 0 removes the product. */
  setQuantity(cartId: string, line: CartLine): Promise<void>
  /**
   * Stores the order and empties the cart.
   * @returns false, without changes, if a product has too little stock
   */
  placeOrder(order: Order, cartId: string): Promise<boolean>
  /** Returns the ordered quantity of a product. */
  countSold(slug: string): Promise<number>
  findOrder(id: string): Promise<Order | null>
  /** Returns the newest order first. */
  listOrders(userId: string): Promise<readonly Order[]>
}
