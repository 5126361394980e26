export async function countVisit(agent: string | null): Promise<void> {
  console.log(agent)
}
