// The drawing of the evidence: an SVG text of the server, parsed as XML, without scripts, in a shadow of its own.

const FORBIDDEN = "script, style, foreignObject, iframe, image, animate, set, use[href^='http'], a[href^='javascript']";

/** How much smaller than drawn the text of a drawing can still be read. */
const SMALLEST = 0.85;

/** The element that shows an SVG text; null where there is none. Its style sheets become the shadow's own. */
export function drawn(text) {
  if (!text) return null;
  const fitting = new CSSStyleSheet();
  const styles = [fitting];
  const plain = text.replace(/<style>([^<]*)<\/style>/g, (_, rules) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    styles.push(sheet);
    return "";
  });
  const parsed = new DOMParser().parseFromString(plain, "image/svg+xml");
  const svg = parsed.documentElement;
  if (svg.localName !== "svg" || parsed.querySelector("parsererror")) return null;
  const least = SMALLEST * (parseFloat(svg.getAttribute("width")) || 0);
  fitting.replaceSync(`svg { max-width: max(100%, ${least}px); height: auto; }`); // smaller than that, it is scrolled
  svg.querySelectorAll(FORBIDDEN).forEach((element) => element.remove());
  const host = document.createElement("div");
  host.className = "drawing";
  host.tabIndex = 0;
  host.setAttribute("role", "region");
  host.setAttribute("aria-label", "The evidence, drawn");
  const shadow = host.attachShadow({ mode: "open" });
  shadow.adoptedStyleSheets = styles;
  shadow.append(document.importNode(svg, true));
  const hint = document.createElement("p");
  hint.className = "slide";
  hint.textContent = "↔ Slide the drawing sideways to see all of it.";
  new ResizeObserver(() => { hint.hidden = host.scrollWidth <= host.clientWidth; }).observe(host);
  const whole = document.createElement("div");
  whole.append(host, hint);
  return whole;
}
