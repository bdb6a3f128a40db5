/** Pixels of the picture for each pixel of the page, so that it is sharp in print. */
const scale = 2;
/** Room around the content. */
const margin = 8;
const svgNamespace = 'http://www.w3.org/2000/svg';
/** What the style sheets set of a drawing. */
const paints = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'font-family',
  'font-size',
  'font-weight',
  'font-variant-numeric',
  'text-anchor',
] as const;

/**
 * Draws a part of the page as a PNG. A picture has no style sheets, so this copies every text, drawing and coloured area
 * with its colours and its place into one drawing. Elements with `data-picture="none"` are left out.
 */
export async function pictureOf(element: HTMLElement): Promise<Blob> {
  const drawing = drawingOf(element);
  const [width, height] = [Number(drawing.getAttribute('width')), Number(drawing.getAttribute('height'))];
  const source = new Blob([new XMLSerializer().serializeToString(drawing)], { type: 'image/svg+xml' });
  const url = URL.createObjectURL(source);
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [width * scale, height * scale];
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      const failed = 'The picture could not be drawn. Make the window smaller, then try again.';
      canvas.toBlob((blob) => (blob === null ? reject(new Error(failed)) : resolve(blob)));
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

function drawingOf(element: HTMLElement): SVGElement {
  const { left, top, width } = element.getBoundingClientRect();
  const content = svg('g', { transform: `translate(${margin - left} ${margin - top})` });
  const bottom = copy(element, content);
  const size = { width: Math.ceil(width) + 2 * margin, height: Math.ceil(bottom - top) + 3 * margin };
  const drawing = svg('svg', { ...size, xmlns: svgNamespace });
  drawing.append(svg('rect', { ...size, fill: surfaceOf(element) }), content);
  return drawing;
}

/** Copies what an element shows, and returns where it ends. */
function copy(element: Element, into: SVGElement): number {
  let bottom = 0;
  for (const child of element.childNodes) {
    if (child instanceof Text) bottom = Math.max(bottom, copyText(child, element, into));
    if (!(child instanceof Element) || child.matches('[data-picture="none"], [hidden]')) continue;
    const { x, y, width, height, bottom: end } = child.getBoundingClientRect();
    if (width <= 1 || height <= 1) continue;
    if (child instanceof SVGSVGElement) {
      into.append(copyDrawing(child, x, y));
      bottom = Math.max(bottom, end);
    } else {
      const { backgroundColor: fill, borderTopLeftRadius: radius } = getComputedStyle(child);
      into.append(svg('rect', { x, y, width, height, fill, rx: Number.parseFloat(radius) || 0 }));
      bottom = Math.max(bottom, copy(child, into));
    }
  }
  return bottom;
}

/** Copies a text of one line. What its element would cut is cut here too. */
function copyText(text: Text, parent: Element, into: SVGElement): number {
  const content = text.data.trim();
  if (content === '') return 0;
  const range = document.createRange();
  range.selectNodeContents(text);
  const { x, y, width, height, bottom } = range.getBoundingClientRect();
  const { color, fontFamily, fontSize, fontWeight } = getComputedStyle(parent);
  const box = parent.getBoundingClientRect();
  const end = getComputedStyle(parent).overflowX === 'hidden' ? box.right : x + width + 1;
  const window = svg('svg', { x, y, width: end - x, height });
  const words = svg('text', {
    y: height / 2,
    'dominant-baseline': 'central',
    fill: color,
    'font-family': fontFamily,
    'font-size': fontSize,
    'font-weight': fontWeight,
  });
  words.textContent = content;
  window.append(words);
  into.append(window);
  return bottom;
}

/** Copies a drawing, with the colours that it has from style sheets. */
function copyDrawing(drawing: SVGSVGElement, x: number, y: number): SVGElement {
  const clone = drawing.cloneNode(true) as SVGSVGElement;
  const originals = drawing.querySelectorAll('*');
  for (const [index, copied] of clone.querySelectorAll('*').entries()) {
    const original = originals[index];
    if (original === undefined) continue;
    const style = getComputedStyle(original);
    for (const paint of paints) copied.setAttribute(paint, style.getPropertyValue(paint));
  }
  clone.setAttribute('x', String(x));
  clone.setAttribute('y', String(y));
  return clone;
}

/** Returns the colour behind an element. */
function surfaceOf(element: Element): string {
  return getComputedStyle(element).backgroundColor;
}

function svg(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
  const element = document.createElementNS(svgNamespace, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}
