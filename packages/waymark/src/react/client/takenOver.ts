/** Whether React has taken an element over: it keeps properties of its own on it. */
export function isOfReact(element: Element): boolean {
  return Object.keys(element).some((key) => key.startsWith('__react'))
}
