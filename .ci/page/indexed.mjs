// Pictures that are small.
import {crc32, deflateSync} from "node:zlib";

// indexed returns a PNG with the 256 colors that a screenshot has most, which takes a third
// of its bytes. Other colors become the nearest of these. A page reads the screenshot.
export async function indexed(page, screenshot) {
  const [width, height, pixels] = await page.evaluate(async (url) => {
    const image = await createImageBitmap(await (await fetch(url)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    const {data} = canvas.getImageData(0, 0, image.width, image.height);
    const colors = Array.from({length: data.length / 4}, (_, i) => data[4 * i] << 16 | data[4 * i + 1] << 8 | data[4 * i + 2]);
    return [image.width, image.height, colors];
  }, "data:image/png;base64," + screenshot.toString("base64"));

  const counts = new Map();
  for (const color of pixels) counts.set(color, (counts.get(color) ?? 0) + 1);
  const colors = [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a) || a - b);
  const palette = colors.slice(0, 256);
  const index = new Map(colors.map((color) => [color, nearest(palette, color)]));
  const rows = Buffer.alloc((width + 1) * height); // each begins with its filter, 0 for none
  pixels.forEach((color, i) => { rows[i + Math.floor(i / width) + 1] = index.get(color); });

  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8); // bits of an index, and that there are indexes
  return Buffer.concat([Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), chunk("IHDR", header),
    chunk("PLTE", Buffer.from(palette.flatMap(channels))), chunk("IDAT", deflateSync(rows, {level: 9})), chunk("IEND", "")]);
}

const channels = (color) => [color >> 16, color >> 8 & 255, color & 255];

function nearest(palette, color) {
  const distances = palette.map((other) => Math.hypot(...channels(color).map((value, i) => value - channels(other)[i])));
  return distances.indexOf(Math.min(...distances));
}

// chunk returns a part of a PNG: its length, its name, what is in it, and a checksum.
function chunk(name, data) {
  const named = Buffer.concat([Buffer.from(name), Buffer.from(data)]);
  const part = Buffer.alloc(named.length + 8);
  part.writeUInt32BE(named.length - 4, 0);
  part.set(named, 4);
  part.writeUInt32BE(crc32(named), named.length + 4);
  return part;
}
