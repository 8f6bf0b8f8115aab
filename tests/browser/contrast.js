// The texts of a page whose contrast with what is behind them is below WCAG's AA.
() => {
  const box = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const known = {};
  const rgba = text => known[text] ??= (() => {
    box.clearRect(0, 0, 1, 1); box.fillStyle = text; box.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = box.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  })();
  const over = (top, ground) =>
    [0, 1, 2].map(i => top[i] * top[3] + ground[i] * (1 - top[3])).concat(1);
  const light = rgb => {
    const [r, g, b] = rgb.slice(0, 3).map(v => { v /= 255;
      return v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; });
    return .2126 * r + .7152 * g + .0722 * b;
  };
  const ratio = (one, other) => {
    const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
    return (a + .05) / (b + .05);
  };
  const ground = e => e === null ? [255, 255, 255, 1]
    : over(rgba(getComputedStyle(e).backgroundColor), ground(e.parentElement));
  const behind = text => {  // the shapes of a drawing under the middle of a text
    const svg = text.ownerSVGElement;
    text.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
    const at = text.getBoundingClientRect();
    return document.elementsFromPoint(at.x + at.width / 2, at.y + at.height / 2)
      .filter(e => e.ownerSVGElement === svg && /^(rect|circle|path)$/.test(e.tagName))
      .map(e => getComputedStyle(e)).filter(s => /^rgb/.test(s.fill))
      .map(s => [...rgba(s.fill).slice(0, 3), rgba(s.fill)[3] * s.fillOpacity * s.opacity])
      .reduceRight((under, fill) => over(fill, under), ground(svg.parentElement));
  };
  document.querySelectorAll('details').forEach(e => { e.open = true; });
  const faint = [];
  for (const e of document.querySelectorAll('body *:not(script):not(title):not(.save)')) {
    const style = getComputedStyle(e), at = e.getBoundingClientRect();
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (!own || at.width <= 1 || style.visibility === 'hidden') continue;
    const drawn = e instanceof SVGElement;
    const halo = drawn && style.paintOrder.startsWith('stroke');
    const under = halo ? rgba(style.stroke) : drawn ? behind(e) : ground(e);
    const ink = over(rgba(drawn ? style.fill : style.color), under);
    const size = parseFloat(style.fontSize), bold = style.fontWeight >= 700;
    const least = size >= 24 || (bold && size >= 18.66) ? 3 : 4.5;
    if (ratio(ink, under) < least)
      faint.push(`${e.textContent.trim().slice(0, 20)}: ${ratio(ink, under).toFixed(2)}`);
  }
  return faint;
}
