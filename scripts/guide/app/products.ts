export type Product = { id: string; name: string; image: string; price: string; changedAt: Date }

const products: Product[] = []

export async function listProducts(): Promise<Product[]> {
  return products
}

export async function findProduct(id: string): Promise<Product> {
  const product = products.find((each) => each.id === id)
  if (!product) throw new Error(`No product ${id}`)
  return product
}

export async function fetchPrices(region: string): Promise<Product[]> {
  return products.filter(({ id }) => id.startsWith(region))
}

export async function countItems(user: string | undefined): Promise<number> {
  return user ? 1 : 0
}
