/** Somebody with an account. */
export type User = {
  readonly id: string
  /** In lower case; unique. */
  readonly email: string
  readonly passwordHash: string
}

/** A browser that is signed in. */
export type Session = {
  /** The hash of what is in the cookie: who reads the database can't sign in with it. */
  readonly tokenHash: string
  readonly userId: string
  readonly expiresAtMs: number
}

/** How many of a product. */
export type CartLine = { readonly slug: string; readonly quantity: number }

/** What was bought, at the price of that moment. */
export type Order = {
  readonly id: string
  readonly userId: string
  readonly createdAtMs: number
  readonly totalCents: number
  readonly lines: readonly CartLine[]
  readonly address: Readonly<Record<'name' | 'street' | 'postcode' | 'city' | 'note', string>>
}

/** The most of one product that a cart holds. */
export const maxQuantity = 20

/** How many of each product there were to sell. */
export const firedOfEach = 12

/** What the shop stores. Each method is atomic. */
export type Database = {
  /** @returns false when the e-mail address has an account already */
  addUser(user: User): Promise<boolean>
  findUserByEmail(email: string): Promise<User | null>
  addSession(session: Session): Promise<void>
  /** @returns null for an expired session, too */
  findSessionUser(tokenHash: string, nowMs: number): Promise<User | null>
  deleteSession(tokenHash: string): Promise<void>
  readCart(cartId: string): Promise<readonly CartLine[]>
  /** Adds to what is there, up to `maxQuantity`. */
  addToCart(cartId: string, line: CartLine): Promise<void>
  /** Sets the number of a product that the cart holds; 0 removes it. */
  setQuantity(cartId: string, line: CartLine): Promise<void>
  /**
   * Stores the order, and empties the cart.
   * @returns false, with nothing changed, when fewer are left of one of its products
   */
  placeOrder(order: Order, cartId: string): Promise<boolean>
  /** How many of a product were ordered. */
  countSold(slug: string): Promise<number>
  findOrder(id: string): Promise<Order | null>
  /** The newest first. */
  listOrders(userId: string): Promise<readonly Order[]>
}
