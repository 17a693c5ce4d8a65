//! The HTML report: its structure, its numbers, and its display in a browser.

use std::path::{Path, PathBuf};
use std::process::Command;

use dc_driver::exit;
use dc_runtime::backend::skip::skip;
use dc_runtime::search::testing::Folder;
use serde_json::Value;

use super::{RANGE, crunch, json};

/// The report of a run, and the run.
fn report(dir: &Folder) -> (PathBuf, String) {
    let (file, page) = (dir.file("part"), dir.file("part.html"));
    let text = |p: &Path| p.to_str().expect("UTF-8").to_string();
    let (run, out) = (text(&file), text(&page));
    let args = ["run", "test", "--range", RANGE, "--block", "2^12"];
    let more = ["-o", &run, "-q", "-b", "scalar", "--shard", "2/3"];
    let args: Vec<&str> = args.into_iter().chain(more).collect();
    assert_eq!(crunch(&args).code, exit::OK);
    assert_eq!(crunch(&["plot", &run, "-o", &out]).code, exit::OK);
    (page, run)
}

fn data(html: &str, name: &str) -> Value {
    let open = format!("<script type=\"application/json\" id=\"{name}-data\">");
    let (_, rest) = html.split_once(&open).expect(name);
    let (text, _) = rest.split_once("</script>").expect("an end");
    serde_json::from_str(text).expect("JSON")
}

/// The elements are nested properly, every `id` is there once, and nothing outside of the file is named.
#[test]
fn the_page_is_whole() {
    let dir = Folder::new("report-structure");
    let (page, run) = report(&dir);
    let html = std::fs::read_to_string(page).expect("the report");
    let mut open: Vec<&str> = Vec::new();
    let mut ids: Vec<&str> = Vec::new();
    let mut rest = html.strip_prefix("<!doctype html>").expect("a doctype");
    while let Some(at) = rest.find('<') {
        let end = at + rest[at..].find('>').expect("an end of the tag");
        let tag = &rest[at + 1..end];
        rest = &rest[end + 1..];
        let name = tag.split([' ', '/', '\n']).find(|n| !n.is_empty());
        let name = name.expect("a name");
        if let Some(id) = tag.split_once(" id=\"").and_then(|t| t.1.split('"').next()) {
            assert!(!ids.contains(&id), "{id} is there twice");
            ids.push(id);
        }
        for outside in [" src=", " href=", "@import", "url(http"] {
            assert!(!tag.contains(outside), "<{tag}>");
        }
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "before {:.80}", rest);
        } else if !tag.ends_with('/') && name != "meta" {
            open.push(name);
            if name == "script" || name == "style" {
                rest = &rest[rest.find(&format!("</{name}>")).expect("its end")..];
            }
        }
    }
    assert!(open.is_empty(), "{open:?}");
    for id in ["envelope", "histogram", "envelope-data", "histogram-data"] {
        assert!(ids.contains(&id), "{ids:?}");
    }
    let loads = html.replace("http://www.w3.org/2000/svg", "");
    assert!(!loads.contains("://"), "something of another place");

    // What the script draws is what the file says.
    let (_, status) = json(&["status", &run]);
    let result = &status[0]["result"];
    let envelope = data(&html, "envelope");
    let steps = envelope["steps"].as_array().expect("steps");
    let most = |i: usize| {
        let errors = steps.iter().map(|s| s[i].as_f64().expect("an error"));
        errors.fold(0.0, f64::max)
    };
    assert_eq!(
        result["max_positive"]["error"].as_f64().unwrap_or(0.0),
        most(2)
    );
    assert_eq!(
        result["max_negative"]["error"].as_f64().unwrap_or(0.0),
        most(3)
    );
    let inputs: f64 = steps
        .iter()
        .map(|s| s[1].as_f64().expect("an end") - s[0].as_f64().expect("a beginning"))
        .sum();
    assert_eq!(result["inputs"].as_f64(), Some(inputs));
    let bins = data(&html, "histogram");
    let counts: Vec<&Value> = bins["bins"].as_array().expect("bins").iter().collect();
    let fine = result["fine_histogram"]["counts"]
        .as_array()
        .expect("counts");
    assert_eq!(counts.len(), fine.len());
    assert!(counts.iter().zip(fine).all(|(bin, n)| bin[2] == *n));
}

/// The first browser that is found: `CRUNCH_BROWSER`, else one of Chromium's names on the path.
fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CRUNCH_BROWSER").filter(|b| !b.is_empty()) {
        return Some(named.into());
    }
    let names = [
        "chromium-headless-shell",
        "chromium",
        "chromium-browser",
        "google-chrome",
    ];
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let all = names
        .iter()
        .flat_map(|n| folders.iter().map(move |f| f.join(n)));
    all.into_iter().find(|p| p.is_file())
}

/// Runs the browser on a page in a window of this size, dark or light; returns what it prints.
fn browse(browser: &Path, page: &Path, size: (u32, u32), dark: bool, args: &[String]) -> String {
    let mut command = Command::new(browser);
    command.args(["--headless", "--no-sandbox", "--disable-gpu"]);
    command.args(["--hide-scrollbars", "--force-device-scale-factor=1"]);
    command.args(["--virtual-time-budget=2000"]);
    command.arg(format!("--window-size={},{}", size.0, size.1));
    // Chromium's numbers for its setting.
    command.arg(format!(
        "--blink-settings=preferredColorScheme={}",
        i32::from(!dark)
    ));
    let out = command.args(args).arg(page).output().expect("the browser");
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stderr)
    );
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// What a reader does, and what the page then is, as JSON in its title.
const READER: &str = r##"<script type="text/javascript">
const wrong = [];
addEventListener("error", e => wrong.push(e.message));
addEventListener("load", () => setTimeout(() => {
  const figure = document.getElementById("envelope"), box = figure.querySelector(".chart");
  const readout = () => figure.querySelector(".readout").textContent;
  const key = k => box.firstChild.dispatchEvent(new KeyboardEvent("keydown", { key: k, bubbles: true }));
  const labels = () => [...box.querySelectorAll("text")].map(t => t.textContent).join(" | ");
  const before = labels();
  key("0"); key("ArrowRight");
  const shown = readout();
  key("+"); key("+");
  const zoomed = labels() !== before;
  key("0");
  document.title = JSON.stringify({
    wrong, shown, zoomed, back: labels() === before, gaps: box.querySelectorAll(".gap").length,
    worst: box.querySelectorAll("circle.worst").length, bars: document.querySelectorAll("#histogram rect.above").length,
    drawn: document.querySelectorAll(".chart.drawn svg").length, wider: document.documentElement.scrollWidth - innerWidth,
    page: getComputedStyle(document.body).backgroundColor, small: Math.min(...[...document.querySelectorAll(".chart text")].map(t => t.getBoundingClientRect().height)),
  });
}, 300));
</script></body>"##;

#[test]
fn a_browser_shows_values_zooms_and_fits() {
    let Some(browser) = browser() else {
        return skip(
            "browser",
            "no Chromium on the path; as root: apt-get install chromium-headless-shell",
        );
    };
    let dir = Folder::new("report-browser");
    let (page, _) = report(&dir);
    let html = std::fs::read_to_string(&page).expect("the report");
    let read = dir.file("read.html");
    std::fs::write(&read, html.replace("</body>", READER)).expect("a page");
    for (size, dark, colour) in [
        ((1200, 900), false, "rgb(255, 255, 255)"),
        ((420, 900), true, "rgb(20, 24, 29)"),
    ] {
        let dom = browse(&browser, &read, size, dark, &["--dump-dom".into()]);
        let title = dom
            .split_once("<title>")
            .and_then(|t| t.1.split("</title>").next())
            .expect("a title");
        let title = title.replace("&amp;", "&").replace("&quot;", "\"");
        let found: Value = serde_json::from_str(&title).unwrap_or_else(|_| panic!("{title}"));
        assert_eq!(found["wrong"], serde_json::json!([]), "{found}");
        let shown = found["shown"].as_str().unwrap_or_default();
        assert!(
            shown.contains("4,096 inputs") && shown.contains("ULP"),
            "{found}"
        );
        assert_eq!(
            (&found["zoomed"], &found["back"]),
            (&true.into(), &true.into()),
            "{found}"
        );
        // Both pictures are drawn by the script, and the worst input is marked.
        assert_eq!(
            (&found["drawn"], &found["worst"]),
            (&2.into(), &1.into()),
            "{found}"
        );
        assert!(found["bars"].as_u64() > Some(0), "{found}");
        // Nothing is wider than the window, and text is as large on a small one.
        assert!(found["wider"].as_i64() <= Some(0), "{found}");
        assert!(found["small"].as_f64() >= Some(11.0), "{found}");
        assert_eq!(found["page"], colour, "{found}");
    }
    // Pictures of fixed size: a screen, a phone, and a sheet of paper, by the rules of print in place of those
    // of a screen. The background and the envelope's colour are those of the mode, and the other mode's are not there.
    let print = dir.file("print.html");
    let printed = html.replace("@media print", "@media all");
    assert_ne!(printed, html, "the page has no print rules");
    let printed = printed.replace("@media screen", "@media speech");
    std::fs::write(&print, printed).expect("a page");
    let (light, dark) = ([255, 255, 255], [20, 24, 29]);
    let (light_blue, dark_blue) = ([0x00, 0x72, 0xb2], [0x58, 0xb4, 0xe8]);
    for (name, page, size, is_dark, print) in [
        ("screen", &page, (1200, 900), false, false),
        ("phone", &page, (420, 900), true, false),
        ("paper", &print, (794, 1123), false, true),
        ("paper-dark", &print, (794, 1123), true, true),
    ] {
        let shot = dir.file(&format!("{name}.png"));
        let to = format!("--screenshot={}", shot.display());
        browse(&browser, page, size, is_dark, &[to]);
        let file = std::fs::File::open(&shot).expect("a picture");
        let mut reader = png::Decoder::new(std::io::BufReader::new(file))
            .read_info()
            .expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size()];
        let info = reader.next_frame(&mut pixels).expect("pixels");
        assert_eq!((info.width, info.height), size, "{name}");
        let colours = info.color_type.samples();
        let count = |colour: [u8; 3]| pixels.chunks(colours).filter(|p| p[..3] == colour).count();
        let all = (size.0 * size.1) as usize;
        // Paper is white, whatever the reader's system is.
        let (ground, other, blue) = match is_dark && !print {
            true => (dark, light, dark_blue),
            false => (light, dark, light_blue),
        };
        let [ground, other, blue] = [ground, other, blue].map(count);
        assert!(ground > all * 2 / 5, "{name}: {ground} of {all} pixels");
        assert!(
            other < all / 100,
            "{name}: {other} pixels of the other mode"
        );
        assert!(blue > 50, "{name}: {blue} pixels of the envelope");
    }
}
