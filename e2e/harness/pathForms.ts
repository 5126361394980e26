const data = '/_waymark/data'

/**
 * Writes a path in forms that a guard might read differently from the page. The forms use dots,
 * slashes, encodings, different case, the URL of the page's data, and URLs of files in which
 * frameworks store pages.
 * @param path path of two segments, such as `/guarded/plan`
 */
export function pathForms(path: string): string[] {
  return [...documentForms(path), ...dataForms(path)]
}

function documentForms(path: string): string[] {
  const [, first = '', last = ''] = path.split('/')
  const encoded = encodeFirst(first)
  return [
    path,
    `${path}?x=1`,
    `${path}?`,
    `${path}/`,
    `/${path}`,
    `///${first}//${last}//`,
    `/${first}//${last}`,
    `/.${path}`,
    `/${first}/./${last}`,
    `/open/..${path}`,
    `/open/../${path}`,
    `/${first}/x/../${last}`,
    `/${encoded}/${last}`,
    `/${encodeAll(first)}/${last}`,
    `/${first}/${encodeFirst(last)}`,
    `/${first}/${last.slice(0, -1)}${encodeAll(last.slice(-1))}?a=%62`,
    `/${first}%2f${last}`,
    `/${first}%2F${last}`,
    `/%2f${first}/${last}`,
    `/%2e${path}`,
    `/open/%2e%2e${path}`,
    `/open/.%2e${path}`,
    `/${first}\\${last}`,
    `/\\${first}/${last}`,
    `/${first}%5c${last}`,
    `${path}%00`,
    `${path}%20`,
    `${path}%09`,
    `${path}#x`,
    `${path};x=1`,
    `/${first};x=1/${last}`,
    `${path}.`,
    `/${first.toUpperCase()}/${last}`,
    `/${capitalised(first)}/${capitalised(last)}`,
    `/%25${encoded.slice(1)}/${last}`,
    `/%252f${first}/${last}`,
    `/%u0067${first.slice(1)}/${last}`,
    `/%c0%af${first}/${last}`,
    `/%ef%bc%8f${first}/${last}`,
    `${path}.html`,
    `${path}/index.html`,
    `${path}.rsc`,
    `${path}.json`,
    `${path}.txt`,
    `/_waymark/pages${path}.html`,
    `/_waymark/prerendered${path}.html`,
    `/pages${path}.html`,
    `/.waymark/pages${path}.html`,
    `/_waymark/assets/../..${path}`,
  ]
}

function dataForms(path: string): string[] {
  const [, first = '', last = ''] = path.split('/')
  const encoded = encodeFirst(first)
  return [
    `${data}${path}.rsc`,
    `${data}${path}.rsc?x=1`,
    `${data}${path}.rsc/`,
    `${data}/${path}.rsc`,
    `/${data}${path}.rsc`,
    `/_waymark//data${path}.rsc`,
    `${data}/.${path}.rsc`,
    `${data}/open/..${path}.rsc`,
    `${data}/${encoded}/${last}.rsc`,
    `${data}${path}%2ersc`,
    `/_waymark/%64ata${path}.rsc`,
    `/%5fwaymark/data${path}.rsc`,
    `${data}/${first}%2f${last}.rsc`,
    `${data}${path}.RSC`,
    `${data}${data}${path}.rsc.rsc`,
    `/_WAYMARK/data${path}.rsc`,
    `${data}/..${path}`,
  ]
}

function encodeAll(text: string): string {
  return [...text].map((each) => `%${each.charCodeAt(0).toString(16)}`).join('')
}

function encodeFirst(text: string): string {
  return encodeAll(text.slice(0, 1)) + text.slice(1)
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
