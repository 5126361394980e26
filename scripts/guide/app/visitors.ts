export async function countVisitors(): Promise<number> {
  return 7
}
