// The drawing of the evidence: an SVG text of the server, parsed as XML, without scripts, in a shadow of its own.

const FORBIDDEN = "script, style, foreignObject, iframe, image, animate, set, use[href^='http'], a[href^='javascript']";

/** The element that shows an SVG text; null where there is none. Its style sheets become the shadow's own. */
export function drawn(text) {
  if (!text) return null;
  const fitting = new CSSStyleSheet();
  fitting.replaceSync("svg { max-width: max(100%, 30rem); height: auto; }"); // smaller than that, it is scrolled
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
  svg.querySelectorAll(FORBIDDEN).forEach((element) => element.remove());
  const host = document.createElement("div");
  host.className = "drawing";
  host.tabIndex = 0;
  host.setAttribute("role", "region");
  host.setAttribute("aria-label", "The evidence, drawn");
  const shadow = host.attachShadow({ mode: "open" });
  shadow.adoptedStyleSheets = styles;
  shadow.append(document.importNode(svg, true));
  return host;
}
